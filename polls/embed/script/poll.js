// A poll is what the server last told of it, and what the viewer wants: a tap is
// shown at once, and made true afterwards.
//
//   counts, vote   as told; vote is 1, 2 or 0 for none
//   wanted         what the viewer tapped last
//   marked         where the arrow keys stand, before Enter; 0: nowhere else
//   open           the results are shown without a vote
//   unsure         a request got no answer: it may have been carried out or not
//   changes        how many votes were answered, to know what is older than they
const newPoll = (told) => ({ ...told, wanted: told.vote, marked: 0, open: false, unsure: false, gone: false, changes: 0 });

let poll = newPoll(firstPoll); // the one that is shown

const countsIn = (answer) => [answer.firstChoiceVoteCount, answer.secondChoiceVoteCount];

const pollIn = (answer) => newPoll({
  id: answer.pollID,
  url: answer.url,
  caption: answer.caption,
  names: [answer.firstChoiceName, answer.secondChoiceName],
  counts: countsIn(answer),
  vote: answer.userVote ?? 0,
  picture: answer.image?.url,
});

async function readPoll(id) {
  if (!knownViewer()) return call("GET", `/polls/${id}`);
  return asViewer((anonymous_user_id) => call("GET", `/polls/${id}`, { anonymous_user_id }));
}

// ask brings a poll up to date. What is older than the viewer's own vote is dropped.
async function ask(asked) {
  const { changes } = asked;
  const known = knownViewer();
  const answer = await readPoll(asked.id);
  if (asked.settling || asked.changes !== changes) return;
  asked.counts = countsIn(answer);
  if (known) asked.vote = asked.wanted = answer.userVote ?? 0;
  asked.unsure = false;
  draw();
}

// wantedCounts are the counts with the viewer's wish already in them.
function wantedCounts({ counts, vote, wanted }) {
  const wish = [...counts];
  if (vote) wish[vote - 1]--;
  if (wanted) wish[wanted - 1]++;
  return wish.map((n) => Math.max(n, 0));
}

// percentages round half up and sum to 100; who has a vote never shows 0.
function percentages([a, b]) {
  const n = a + b;
  if (!n) return [0, 0];
  let first = Math.floor((200 * a + n) / (2 * n));
  if (a && b) first = Math.min(Math.max(first, 1), 99);
  return [first, 100 - first];
}

const resultsShown = () => poll.open || poll.wanted !== 0;

const inWords = ({ names }, counts) =>
  percentages(counts).map((share, i) => `${names[i]}: ${percent(share)}, ${votes(counts[i])}.`).join(" ");
