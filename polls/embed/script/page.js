// The document, and what the server wrote into it.
const find = (id) => document.getElementById(id);
const main = document.querySelector("main");
const form = document.querySelector("form");
const { words, pollIDs, poll: firstPoll } = JSON.parse(find("page").textContent);
const sent = {
  embedToken: document.documentElement.dataset.embedToken ?? "", // empty: nothing is recorded
  anonymousID: form.elements.anonymous_user_id.value,
  viewID: form.elements.view_id.value,
};

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, words.group);
const plurals = new Intl.PluralRules(words.lang);
const votes = (n) => fill(words.votes[plurals.select(n)] ?? words.votes.other, { n: grouped(n) });
const percent = (n) => fill(words.percent, { n });

// say shows a sentence below the choices; an empty one takes it away.
function say(text) {
  const notice = find("notice");
  if (notice.textContent !== text) notice.textContent = text;
}

// announce is for those who hear the page, and leaves the focus where it is.
function announce(text) {
  find("result").textContent = text;
}
