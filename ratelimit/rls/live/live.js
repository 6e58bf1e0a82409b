// Fills the live page with one event a second. Keys are callers' text: they are
// only ever set as text, never as markup.
const byId = (id) => document.getElementById(id);
const span = 120; // seconds shown
const history = [];
let paused = false;
let lost = false;

for (const el of document.querySelectorAll("[data-live]")) el.hidden = false; // nothing without script

byId("pause").addEventListener("click", (event) => {
  paused = !paused;
  event.target.textContent = paused ? "Resume" : "Pause";
  if (!paused && history.length > 0) show(history.at(-1));
  tellState();
});

connect();

function connect() {
  const source = new EventSource("/live/events");
  source.onopen = () => {
    lost = false;
    tellState();
  };
  source.onerror = () => {
    lost = true;
    tellState();
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 3000); // refused: the browser would not try again
  };
  source.onmessage = (event) => {
    history.push(JSON.parse(event.data));
    if (history.length > span) history.shift();
    if (!paused) show(history.at(-1));
    tellState();
  };
}

function tellState() {
  const healthy = history.at(-1)?.healthy ?? true;
  let text = paused ? "paused" : "live";
  if (!healthy) text += ", but the service is not healthy";
  if (lost) text = "connection lost, trying again…";
  const el = byId("state");
  if (el.textContent !== text) el.textContent = text; // a screen reader hears changes only
  el.classList.toggle("bad", lost || !healthy);
  el.classList.toggle("still", paused);
}

function show(moment) {
  byId("hits").textContent = moment.hits.toLocaleString();
  byId("refused").textContent = moment.refused.toLocaleString();
  showRules(moment.rules);
  showKeys(moment.keys);
  showChart();
}

function showRules(flows) {
  const busy = new Map(flows.map((flow) => [flow.name, flow]));
  for (const row of byId("rules").querySelectorAll("tr[data-rule]")) {
    numbers(row, busy.get(row.dataset.rule) ?? { hits: 0, refused: 0 });
    busy.delete(row.dataset.rule);
  }
  for (const flow of busy.values()) { // loaded since the page was, or an override
    const row = byId("rules").insertRow();
    row.dataset.rule = flow.name;
    cells(row, [flow.name, flow.limit, "", ""]);
    numbers(row, flow);
  }
}

function showKeys(flows) {
  const body = byId("keys");
  body.replaceChildren();
  for (const flow of flows) {
    const row = body.insertRow();
    row.title = flow.rule;
    cells(row, [flow.name, flow.limit, "", ""]);
    numbers(row, flow);
  }
  if (flows.length === 0) {
    const cell = body.insertRow().insertCell();
    cell.colSpan = 4;
    cell.className = "none";
    cell.textContent = "no hits in the last second";
  }
}

function cells(row, texts) {
  for (const text of texts) row.insertCell().textContent = text;
}

// numbers fills the last two cells of a row.
function numbers(row, flow) {
  const [hits, refused] = [...row.cells].slice(-2);
  hits.className = refused.className = "n";
  hits.textContent = flow.hits.toLocaleString();
  refused.textContent = flow.refused.toLocaleString();
  row.classList.toggle("over", flow.refused > 0);
}

function showChart() {
  const most = Math.max(0, ...history.map((m) => m.hits));
  const first = span - history.length;
  const points = (field) => history
    .map((m, i) => `${first + i},${39 - (m[field] / Math.max(most, 1)) * 38}`)
    .join(" ");
  byId("area-hits").setAttribute("points", `${first},40 ${points("hits")} ${span - 1},40`);
  byId("line-hits").setAttribute("points", points("hits"));
  byId("line-refused").setAttribute("points", points("refused"));
  byId("peak").textContent = most.toLocaleString();
}
