// What every page has: the theme, times in words, counters, share and copy,
// buttons that switch something on and off.
import { call } from "./api.js";
import { say, ago, format } from "./words.js";

document.querySelector("[data-theme-toggle]").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  say(dark ? "Light colours" : "Dark colours");
  try {
    localStorage.setItem("theme", root.dataset.theme);
  } catch {
    // Kept for this page only.
  }
});

// A notice is told once: who reloads the page, or shares its address, has seen it.
const here = new URL(location.href);
if (here.searchParams.has("done")) {
  here.searchParams.delete("done");
  history.replaceState(history.state, "", here);
}

function tellTimes() {
  for (const time of document.querySelectorAll("time[datetime]")) {
    const date = new Date(time.dateTime);
    time.textContent = ago(date);
    time.title = date.toLocaleString();
  }
}
tellTimes();
setInterval(tellTimes, 60_000);
document.addEventListener("stoa:added", tellTimes);

// Characters are code points, as the server counts them.
for (const counter of document.querySelectorAll("[data-counts]")) {
  const field = document.getElementById(counter.dataset.counts);
  const limit = Number(field.dataset.limit);
  const show = () => {
    const left = limit - [...field.value.normalize("NFC").trim()].length;
    counter.textContent = left < limit ? `${left} left` : "";
    counter.classList.toggle("over", left < 0);
  };
  field.addEventListener("input", show);
  field.form?.addEventListener("reset", () => setTimeout(show));
  show();
}

document.addEventListener("click", async (event) => {
  const share = event.target.closest("[data-share]");
  const copy = event.target.closest("[data-copy]");
  if (share && navigator.share) {
    await navigator.share({ url: share.dataset.share, title: share.dataset.title }).catch(() => {}); // changed their mind
  } else if (share) {
    await copied(share, share.dataset.share, "Link copied");
  } else if (copy) {
    await copied(copy, copy.closest(".copyable").querySelector(copy.dataset.copy).textContent, "Copied");
  }
});

async function copied(button, text, message) {
  const label = button.querySelector("span:not(.unseen)") ?? button.firstChild;
  const before = label.textContent;
  try {
    await navigator.clipboard.writeText(text);
    label.textContent = message;
  } catch {
    label.textContent = text; // to be copied by hand
    message = "Copying is not allowed here";
  }
  say(message);
  setTimeout(() => { label.textContent = before; }, 2500);
}

for (const form of document.querySelectorAll("[data-toggle]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!("account" in document.body.dataset)) {
      location.href = `/login?next=${encodeURIComponent(location.pathname + location.search)}`;
      return;
    }
    const button = form.querySelector("button");
    const on = button.getAttribute("aria-pressed") !== "true";
    const show = (state) => {
      button.setAttribute("aria-pressed", state);
      form.elements.action.value = form.elements.action.value.replace(/^(un)?/, state ? "un" : "");
    };
    show(on);
    try {
      const answer = await call(on ? "POST" : "DELETE", form.dataset.toggle, keyOf(form));
      const count = form.querySelector("[data-count]") ?? document.querySelector("[data-followers]");
      const before = Number(count.textContent.replace(/\D/g, ""));
      count.textContent = format(answer.favoriteCount ?? before + (on ? 1 : -1));
    } catch (problem) {
      show(!on);
      button.title = problem.message;
      say(problem.message);
    }
  });
}

// keyOf is the parameter that opens a private poll.
function keyOf(form) {
  const key = form.closest(".poll-page")?.querySelector("[data-key]")?.dataset.key;
  return key ? { poll_key: key } : {};
}
