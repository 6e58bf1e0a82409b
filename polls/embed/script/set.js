// A poll set shows one poll at a time and goes on after the vote. Polls are asked
// for when their turn comes.
const met = new Map([[poll.id, poll]]); // those shown so far, and the next one
const goOnAfter = 3000; // milliseconds to look at the result; a tap or a key stays
let at = Math.max(pollIDs.indexOf(poll.id), 0);
let going = 0;
let goOnTimer = 0;

function goOnSoon() {
  if (pollIDs.length < 2) return;
  meet(pollIDs[at + 1]).catch(() => {}); // told when it is its turn
  stay();
  find("next").classList.add("soon");
  goOnTimer = setTimeout(() => go(at + 1), goOnAfter);
}

function stay() {
  clearTimeout(goOnTimer);
  find("next")?.classList.remove("soon");
}

// go shows the poll at a place in the set; behind the last one is the summary.
async function go(to) {
  stay();
  say("");
  const turn = ++going;
  const id = pollIDs[to];
  try {
    const next = await patiently(() => meet(id));
    if (turn !== going) return;
    if (next) show(next, to);
    else summarise();
  } catch (trouble) {
    if (turn !== going) return;
    if (trouble.status === 404) skip(id, to);
    else say(words.offline);
  }
}

// meet gives a poll with its picture ready to be drawn.
async function meet(id) {
  if (!id || met.has(id)) return met.get(id);
  const next = pollIn(await readPoll(id));
  if (next.picture) {
    const image = new Image();
    image.src = next.picture;
    await image.decode().catch(() => {});
    if (image.naturalWidth) next.pictureSize = [image.naturalWidth, image.naturalHeight];
  }
  if (!met.has(id)) met.set(id, next);
  return met.get(id);
}

// skip leaves out a poll that was deleted.
function skip(id, to) {
  pollIDs.splice(pollIDs.indexOf(id), 1);
  if (to < at) at--;
  go(to <= at && to > 0 ? to - 1 : to);
}

function show(next, to) {
  leave();
  poll = next;
  at = to;
  const fromSummary = find("summary").contains(document.activeElement);
  form.hidden = false;
  find("summary").hidden = true;
  startVisibleTime(poll.visibleTime);
  drawQuestion();
  drawPlace();
  if (fromSummary) focusChoice();
  announce(fill(words.question, { n: at + 1, total: pollIDs.length, caption: poll.caption }));
}

// leave keeps how long the poll was visible, for when somebody comes back to it.
// The summary, during which no poll is shown, does not count.
function leave() {
  if (!form.hidden) poll.visibleTime = visibleMilliseconds();
}

function drawPlace() {
  if (pollIDs.length < 2) return;
  const last = at + 1 === pollIDs.length;
  find("position").textContent = fill(words.position, { n: at + 1, total: pollIDs.length });
  find("next").hidden = false;
  find("next").textContent = last ? words.finish : words.next;
  hide(find("back"), at === 0);
}

function summarise() {
  leave();
  const inside = form.contains(document.activeElement);
  const seen = pollIDs.map((id) => met.get(id)).filter(Boolean);
  find("answered").textContent = fill(words.answered, { n: seen.filter(({ vote }) => vote).length, total: pollIDs.length });
  find("answers").replaceChildren(...seen.map(answerLine));
  form.hidden = true;
  find("summary").hidden = false;
  if (inside) find("thanks").focus();
  announce(find("answered").textContent);
}

// answerLine leads back to its poll.
function answerLine({ id, caption, names, vote, counts }) {
  const answer = vote ? `${names[vote - 1]} · ${percent(percentages(counts)[vote - 1])}` : words.notAnswered;
  const button = document.createElement("button");
  button.type = "button";
  button.addEventListener("click", () => go(pollIDs.indexOf(id)));
  for (const text of [caption, answer]) {
    const line = button.appendChild(document.createElement("span"));
    line.appendChild(document.createElement("bdi")).textContent = text;
  }
  const item = document.createElement("li");
  item.append(button);
  return item;
}
