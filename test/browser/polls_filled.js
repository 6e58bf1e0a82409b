// A service with something of everything that pages show.

export async function fillPolls(service) {
  const ann = await service.signUp("ann", { name: "Ann Árnadóttir", location: "Reykjavík", website: "https://ann.example/", about: "I ask before I bake.\nThen I bake both." });
  const bo = await service.signUp("bo", { name: "Bo" });
  await service.signUp("cy");
  const polls = {
    pie: await service.poll(ann, ["Which pie for Sunday?", "Apple", "Cherry"], { tags: "food,weekend" }),
    tabs: await service.poll(bo, ["Tabs or spaces?", "Tabs", "Spaces"]),
    arabic: await service.poll(ann, ["أيهما أفضل: القهوة أم الشاي؟", "القهوة", "الشاي"], { tags: "food" }),
    long: await service.poll(bo, [
      "A question that goes on for rather longer than anybody would like to read on a small phone, and then ends in Donaudampfschifffahrtsgesellschaftskapitänsmütze?",
      "Yes, although I would put it in fewer words, and shorter ones at that", "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz",
    ]),
    new: await service.poll(ann, ["Window or aisle?", "Window", "Aisle"]),
  };
  for (const [poll, first, second] of [[polls.pie, 7, 5], [polls.tabs, 2, 2], [polls.arabic, 3, 1], [polls.long, 1, 2]]) {
    for (let i = 0; i < first + second; i++) await service.vote(poll.pollID, i < first ? 1 : 2);
  }
  await service.call("POST", `/polls/${polls.pie.pollID}/votes`, { option: 1, auth_token: bo });
  for (const [auth_token, body] of [[bo, "Apple, with a lot of cinnamon."], [ann, "Noted!\nAnd with cream?"], [bo, "وبالتأكيد مع الكريمة"]]) {
    await service.call("POST", `/polls/${polls.pie.pollID}/comments`, { auth_token, body });
  }
  await service.call("POST", `/polls/${polls.pie.pollID}/favorite`, { auth_token: bo });
  return { polls, ...await fillPublisher(service, ann, polls) };
}

async function fillPublisher(service, auth_token, polls) {
  const at = "/publishers/gazette";
  await service.call("POST", "/publishers", { auth_token, name: "gazette", display_name: "The Gazette" });
  await service.call("POST", `${at}/members`, { auth_token, username: "bo" });
  const set = await service.call("POST", `${at}/poll_sets`, {
    auth_token, name: "weekend", display_name: "For the weekend", poll_ids: [polls.pie.pollID, polls.tabs.pollID, polls.long.pollID, polls.arabic.pollID],
  });
  await service.call("POST", `${at}/embeds`, { auth_token, embed_name: "front-page", poll_id: polls.pie.pollID });
  await service.call("POST", `${at}/embeds`, { auth_token, embed_name: "weekend-page", poll_set_id: set.id });
  await service.call("PUT", `${at}/placements/sidebar`, { auth_token, poll_id: polls.tabs.pollID });
  const frame = (target) => service.frame("gazette", target);
  await visit(service, frame({ poll_id: polls.pie.pollID, name: "front-page" }), polls.pie.pollID, 9, 4);
  await visit(service, frame({ pollset_id: "weekend", name: "weekend-page" }), polls.tabs.pollID, 5, 3);
  return { set, frame };
}

// visit leaves views and votes in the numbers of an embed.
async function visit(service, address, pollID, views, votes) {
  const [, embed_token] = /data-embed-token="([^"]+)"/.exec(await (await fetch(address)).text());
  for (let i = 0; i < views; i++) {
    const view_id = `view-of-somebody-${pollID}-${i}`;
    const { anonymousUserID: anonymous_user_id } = await service.call("GET", "/users/me");
    await service.call("POST", "/embeds/beacon", { embed_token, view_id, event: "view", anonymous_user_id });
    if (i < votes) await service.call("POST", `/polls/${pollID}/votes`, { option: 1 + i % 2, anonymous_user_id, embed_token, view_id, voting_ms: 2500 + 900 * i });
  }
}
