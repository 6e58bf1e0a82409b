// A list of polls: vote on each, load more in place, numbers that move.
import { call } from "./api.js";
import { cardOf } from "./poll.js";
import { whenSeenAgain } from "./tabs.js";
import { say } from "./words.js";

const every = 5000; // milliseconds between two looks at the numbers
const feed = document.querySelector(".feed");
const inSight = new Set();
const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) inSight.add(target);
    else inSight.delete(target);
  }
  renew();
});

const pages = new Map(); // by card, the address of the page that it came from
const old = new Set(); // addresses of pages to be read again before their cards are seen

function adopt(articles) {
  const page = new URL(location.href);
  page.searchParams.set("before_poll_id", Number(articles[0]?.dataset.poll) + 1);
  for (const article of articles) {
    cardOf(article);
    pages.set(article, page.href);
    observer.observe(article);
  }
}

if (feed) {
  adopt([...feed.querySelectorAll(".poll")]);
  setInterval(refresh, every);
  whenSeenAgain(() => {
    for (const page of pages.values()) old.add(page);
    renew();
  });
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-more]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.ariaBusy === "true") return;
  link.ariaBusy = "true";
  const label = link.textContent;
  link.textContent = "Loading…";
  say("Loading…");
  try {
    await more(link);
  } catch {
    link.ariaBusy = "false"; // so that it works again after Back
    link.textContent = label;
    location.href = link.href;
  }
});

// more takes the cards out of the next page, so that there is one template for
// both ways.
async function more(link) {
  const next = await read(link.href);
  const here = new Set([...feed.querySelectorAll(".poll")].map((p) => p.dataset.poll));
  const items = [...next.querySelectorAll(".feed > li")].filter((li) => !here.has(li.querySelector(".poll").dataset.poll));
  feed.append(...items);
  adopt(items.map((li) => li.querySelector(".poll")));
  document.dispatchEvent(new Event("stoa:added"));
  const following = next.querySelector("[data-more]");
  if (following) link.replaceWith(following);
  else link.closest(".more").remove();
  items[0]?.querySelector(".caption a").focus();
  say(`${items.length} more polls`);
}

async function read(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

// renew reads the old pages of cards in sight again, for the viewer's own votes. A
// page for nobody, where cookies do not stick, does not know them.
async function renew() {
  for (const page of new Set([...inSight].map((article) => pages.get(article)))) {
    if (!old.delete(page)) continue;
    const asked = performance.now();
    const now = await read(page).catch(() => undefined);
    if (!now || !("voter" in now.body.dataset)) continue;
    for (const article of now.querySelectorAll(".feed .poll")) {
      const here = feed.querySelector(`.poll[data-poll="${article.dataset.poll}"]`);
      if (here) cardOf(here).take(cardOf(article), asked);
    }
  }
}

// refresh asks once for the ten polls from the highest in sight downwards.
async function refresh() {
  if (document.hidden || inSight.size === 0) return;
  const cards = new Map([...inSight].map((article) => [Number(article.dataset.poll), cardOf(article)]));
  const parameters = { before_poll_id: Math.max(...cards.keys()) + 1 };
  if (feed.dataset.tag) parameters.tag = feed.dataset.tag;
  try {
    for (const poll of await call("GET", feed.dataset.list, parameters)) {
      cards.get(poll.pollID)?.update(poll.choices[0].voteCount, poll.choices[1].voteCount);
    }
  } catch {
    // The next look may do better.
  }
}
