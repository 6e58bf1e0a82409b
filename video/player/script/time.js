// parseTime reads seconds, mm:ss and hh:mm:ss. What is no time is undefined.
export function parseTime(text) {
  if (!/^\d+(:\d{1,2}){0,2}(\.\d+)?$/.test(text)) return undefined;
  return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}

// wholeSeconds have begun. Browsers count in microseconds and round each frame down, so
// that a video of 20 s may last 19.999999.
const wholeSeconds = (seconds) => Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds + 0.001 : 0));

export function formatTime(seconds) {
  const whole = wholeSeconds(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (n) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

// spokenTime is what a screen reader says: 1 minute 5 seconds.
export function spokenTime(seconds) {
  const whole = wholeSeconds(seconds);
  const parts = [[Math.floor(whole / 3600), "hour"], [Math.floor(whole / 60) % 60, "minute"], [whole % 60, "second"]];
  const said = parts.filter(([n]) => n).map(([n, unit]) => `${n} ${unit}${n === 1 ? "" : "s"}`);
  return said.join(" ") || "0 seconds";
}
