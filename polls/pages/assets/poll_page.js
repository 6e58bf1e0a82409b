// A poll's own page: live numbers and comments.
import { cardOf } from "./poll.js";
import { whenSeenAgain } from "./tabs.js";
import { say } from "./words.js";
import "./comments.js";

const askEvery = 5000; // milliseconds, when there is no stream to be had
const card = cardOf(document.querySelector(".poll"));
let stream, asking;

function watch() {
  if (stream || asking || document.hidden || card.deleted) return;
  const address = new URL(`${card.path}/events`, location.origin);
  for (const [name, value] of Object.entries(card.key)) address.searchParams.set(name, value);
  stream = new EventSource(address);
  stream.addEventListener("results", (event) => {
    const { firstChoiceVoteCount, secondChoiceVoteCount } = JSON.parse(event.data);
    card.update(firstChoiceVoteCount, secondChoiceVoteCount);
  });
  stream.addEventListener("deleted", gone);
  stream.addEventListener("error", () => {
    if (stream?.readyState !== EventSource.CLOSED) return; // it tries again by itself
    stream = undefined;
    asking ??= setInterval(ask, askEvery);
  });
}

// A hidden page gives its connection back: a browser has few of them.
function rest() {
  stream?.close();
  clearInterval(asking);
  stream = asking = undefined;
}

async function ask() {
  if (card.deleted) return;
  try {
    await card.look();
  } catch (problem) {
    if (problem.status === 404) gone();
  }
}

function gone() {
  rest();
  card.gone();
  say("This poll has been deleted.");
}

if (card.form) {
  document.addEventListener("visibilitychange", () => (document.hidden ? rest() : watch()));
  addEventListener("pagehide", rest);
  addEventListener("pageshow", watch);
  whenSeenAgain(ask);
  watch();
}
