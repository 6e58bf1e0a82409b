// What the address asks for. Fragments: autoplay, loop, t=from,to, api, hide-title,
// hide-controls, hide-poster, chromeless, show-subtitles, hotkeys:false,
// min-quality:n, max-quality:n, sdkPlayerId:n, sdkOrigin:base64, and of our own
// uncounted, for who only tries the player out; adTagUrl is passed over, the player
// shows no advertisements. Query: autoplay, muted; token, avh and ts are for the
// server, and metadata has no place in what is sent of a session.
import { data } from "./page.js";
import { parseTime } from "./time.js";

const fragment = new Map();
for (const part of decode(location.hash.slice(1)).split(";")) {
  const [, name, value] = /^([\w-]+)(?:[:=](.*))?$/s.exec(part.trim()) ?? [];
  if (name) fragment.set(name, value ?? "");
}
const query = new URLSearchParams(location.search);
const inQuery = (name) => query.has(name) && !["false", "0"].includes(query.get(name));
const [from, to] = (fragment.get("t") ?? "").split(",").map(parseTime);

export const options = {
  autoplay: data.theme.autoplay || fragment.has("autoplay") || inQuery("autoplay"),
  loop: data.theme.loop || fragment.has("loop"),
  muted: inQuery("muted"),
  start: from ?? 0,
  end: to > (from ?? 0) ? to : undefined,
  hideTitle: data.theme.hideTitle || fragment.has("hide-title"),
  hideControls: !data.theme.controls || fragment.has("hide-controls"),
  hidePoster: fragment.has("hide-poster"),
  chromeless: fragment.has("chromeless"),
  showSubtitles: fragment.has("show-subtitles"),
  hotkeys: fragment.get("hotkeys") !== "false",
  uncounted: fragment.has("uncounted"),
  minQuality: lines(fragment.get("min-quality")),
  maxQuality: lines(fragment.get("max-quality")),
  sdkPlayerId: fragment.get("sdkPlayerId"),
  sdkOrigin: originIn(fragment.get("sdkOrigin")),
};

// lines is a quality: the short side of the picture. Undefined for what is none.
export function lines(text) {
  const n = Number.parseInt(text, 10);
  return n > 0 ? n : undefined;
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function originIn(base64) {
  try {
    return new URL(atob(base64)).origin;
  } catch {
    return undefined;
  }
}
