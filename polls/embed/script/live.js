// While results are shown and somebody can see them, they follow what others do:
// by events, or over HTTP/1.1 by asking. There a browser has six connections for
// all iframes of a site, and a stream would hold one of them.
const askEvery = 5000; // milliseconds
let streams = ["h2", "h3"].includes(performance.getEntriesByType("navigation")[0]?.nextHopProtocol);
let followed = null; // the poll
let stream = null;
let askTimer = 0;

// follow begins or ends to watch the shown poll, as its state wants.
function follow() {
  const wanted = resultsShown() && !poll.gone && document.visibilityState === "visible" ? poll : null;
  if (wanted === followed) return;
  stream?.close();
  stream = null;
  clearTimeout(askTimer);
  followed = wanted;
  if (!wanted) return;
  if (streams) openStream(wanted);
  else askTimer = setTimeout(askOn, askEvery, wanted, askEvery);
}

function openStream(watched) {
  stream = new EventSource(`/api/v4/polls/${watched.id}/events`);
  stream.addEventListener("results", (event) => {
    if (watched.settling) return; // the answer to the vote is newer
    watched.counts = countsIn(JSON.parse(event.data));
    draw();
  });
  stream.addEventListener("deleted", () => lose(watched));
  stream.addEventListener("error", () => {
    if (stream?.readyState !== EventSource.CLOSED || watched !== followed) return;
    streams = false; // refused; a broken line is mended by the browser
    askOn(watched, askEvery);
  });
}

// askOn asks now and again; a service that is busy is asked less often.
async function askOn(watched, every) {
  try {
    await ask(watched);
    every = askEvery;
  } catch (trouble) {
    if (trouble.status === 404) lose(watched);
    every = Math.min(Math.max(every * 2, trouble.wait * 1000), 60_000);
  }
  if (watched === followed) askTimer = setTimeout(askOn, every, watched, every);
}

function lose(watched) {
  watched.gone = true;
  if (watched === poll) say(words.gone);
  draw();
}
