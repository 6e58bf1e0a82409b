// Fills the live page with one event a second. Keys are callers' text: they are
// only ever set as text, never as markup.
const byId = (id) => document.getElementById(id);
const span = 120; // seconds shown
const history = [];
let paused = false;

byId("pause").addEventListener("click", (event) => {
  paused = !paused;
  event.target.setAttribute("aria-pressed", String(paused));
  event.target.textContent = paused ? "Go on" : "Pause";
  if (paused) state("paused");
});

const source = new EventSource("/live/events");
source.onopen = () => state("live");
source.onerror = () => state("connection lost, trying again…", true);
source.onmessage = (event) => {
  const moment = JSON.parse(event.data);
  history.push(moment);
  if (history.length > span) history.shift();
  if (!paused) show(moment);
};

function state(text, bad = false) {
  const el = byId("state");
  if (el.textContent !== text) el.textContent = text; // a screen reader hears changes only
  el.classList.toggle("bad", bad);
}

function show(moment) {
  state(moment.healthy ? "live" : "live, but the service is not healthy", !moment.healthy);
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
    cells(row, [flow.name, flow.limit, "", "", ""]);
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
  const peak = Math.max(1, ...history.map((m) => m.hits));
  const points = (field) => history
    .map((m, i) => `${span - history.length + i},${39 - (m[field] / peak) * 38}`)
    .join(" ");
  byId("line-hits").setAttribute("points", points("hits"));
  byId("line-refused").setAttribute("points", points("refused"));
  byId("peak").textContent = peak === 1 && !history.some((m) => m.hits) ? "0" : peak.toLocaleString();
}
