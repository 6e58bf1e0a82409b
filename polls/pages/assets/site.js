// What every page has: the theme, times in words, counters, buttons.
import "./copy.js";
import "./toggle.js";
import { say, ago } from "./words.js";

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
