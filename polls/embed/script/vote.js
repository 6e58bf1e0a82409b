// choose shows the wish at once: 1, 2, or 0 to take the vote back.
function choose(option) {
  if (poll.gone) return;
  poll.marked = 0;
  if (option) poll.votingTime ??= visibleMilliseconds();
  poll.wanted = option;
  draw();
  settle(poll);
}

// settle makes the server agree with the viewer, one request at a time. A wish
// that changes meanwhile is sent next; one that cannot be met is taken back.
async function settle(wish) {
  wish.wake?.();
  if (wish.settling) return;
  wish.settling = true;
  for (let tries = 0; wish.wanted !== wish.vote || wish.unsure;) {
    const option = wish.wanted;
    try {
      accept(wish, option, await cast(wish, option));
      tries = 0;
    } catch (trouble) {
      wish.unsure ||= trouble.status === 0;
      if (wish.wanted !== option && trouble.status !== 404) continue;
      const wait = retryIn(trouble, tries++);
      if (!wait) {
        takeBack(wish, trouble);
        break;
      }
      say(trouble.status ? words.busy : words.offline);
      await pause(wait, (wake) => { wish.wake = wake; });
    }
  }
  wish.settling = false;
  draw();
}

const cast = (wish, option) => asViewer((anonymous_user_id) => {
  if (!option) return call("DELETE", `/polls/${wish.id}/votes/remove`, { anonymous_user_id });
  return call("POST", `/polls/${wish.id}/votes`, {
    option,
    anonymous_user_id,
    ...sent.embedToken && { embed_token: sent.embedToken, view_id: sent.viewID, voting_ms: wish.votingTime },
  });
});

function accept(wish, option, answer) {
  wish.counts = countsIn(answer);
  wish.vote = option;
  wish.unsure = false;
  wish.changes++;
  say("");
  if (wish.wanted !== option || wish !== poll) return;
  draw();
  if (!option) {
    announce(words.removed);
    return;
  }
  announce(`${fill(words.voted, { choice: wish.names[option - 1] })} ${inWords(wish, wish.counts)}`);
  goOnSoon();
}

function takeBack(wish, trouble) {
  wish.wanted = wish.vote;
  if (trouble.status === 404) wish.gone = true;
  say(trouble.status === 404 ? words.gone : trouble.status === 429 ? words.later : words.failed);
}
