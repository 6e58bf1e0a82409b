// Numbers, times and announcements in words.

const numbers = new Intl.NumberFormat("en");
export const format = (n) => numbers.format(n);
export const count = (n, one, many) => `${format(n)} ${n === 1 ? one : many}`;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const units = [["year", 31_557_600], ["month", 2_629_800], ["week", 604_800], ["day", 86_400], ["hour", 3600], ["minute", 60]];

// ago is a moment seen from now: "3 hours ago".
export function ago(date) {
  const seconds = (date - Date.now()) / 1000;
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  }
  return "just now";
}

// say tells a screen reader, without moving the focus.
export function say(text) {
  const live = document.getElementById("live");
  live.textContent = live.textContent === text ? `${text}\u00a0` : text; // the same text again would be silent
}
