// cuesIn reads the times and texts of a WebVTT file; settings and styles are passed
// over. What is no cue is left out, so a malformed file gives what can be read.
export function cuesIn(text) {
  const cues = [];
  for (const block of text.replace(/\r\n?/g, "\n").split(/\n{2,}/)) {
    const rows = block.split("\n");
    const at = rows.findIndex((row) => row.includes("-->"));
    if (at < 0) continue;
    const [from, to] = rows[at].split("-->").map((part) => seconds(part.trim().split(/\s/)[0]));
    const words = rows.slice(at + 1).join(" ").trim();
    if (from !== undefined && to !== undefined && words) cues.push({ from, to, text: plain(words) });
  }
  return cues.sort((a, b) => a.from - b.from);
}

function seconds(stamp) {
  const [, h = "0", m, s] = /^(?:(\d+):)?(\d{1,2}):(\d{1,2}\.\d{1,3})$/.exec(stamp) ?? [];
  return m === undefined ? undefined : Number(h) * 3600 + Number(m) * 60 + Number(s);
}

const marks = { amp: "&", lt: "<", gt: ">", nbsp: "\u00a0", lrm: "\u200e", rlm: "\u200f" };
const plain = (text) => text.replace(/<[^>]*>/g, "").replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name) => marks[name]);

// fetchCues is empty when the file cannot be had: nothing depends on it.
export async function fetchCues(address) {
  try {
    const response = await fetch(address, { credentials: "same-origin" });
    return response.status === 200 ? cuesIn(await response.text()) : [];
  } catch {
    return [];
  }
}

export const cueAt = (cues, time) => cues.findLast(({ from }) => from <= time);
