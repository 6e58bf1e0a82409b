// Captions, drawn by the browser. Files are fetched when they are shown.
import { $, data, flash, on, video } from "./page.js";
import { options } from "./options.js";
import { attachMenu } from "./menu.js";

let native = false; // the tracks are those of the playlist, not ours
let shown; // the language that is wanted; undefined: none
let before;

export function startCaptions() {
  const first = data.captions.find((track) => track.default);
  if (first || options.showSubtitles) shown = (first ?? favourite())?.language;
  attachMenu($("captions"), "Captions", () => [
    { label: "Off", checked: shown === undefined, choose: () => showCaptions(undefined) },
    ...list().map(({ label, language }) => ({ label, lang: language, checked: shown === language, choose: () => showCaptions(language) })),
  ]);
  on("attached", ({ detail }) => {
    native = detail.native;
    if (!native) addTracks();
    apply();
  });
  video.textTracks.addEventListener("addtrack", apply);
  apply();
}

// list is what there is to choose, also before anything is loaded.
function list() {
  if (!native) return data.captions;
  return [...video.textTracks].filter(({ kind }) => kind === "subtitles" || kind === "captions");
}

function favourite() {
  const tags = navigator.languages.map((tag) => tag.split("-")[0].toLowerCase());
  const all = list();
  return tags.map((tag) => all.find(({ language }) => language.toLowerCase().split("-")[0] === tag)).find(Boolean) ?? all[0];
}

export const captionsShown = () => shown !== undefined;

export function showCaptions(language) {
  if (shown !== undefined) before = shown;
  shown = language;
  apply();
}

// toggleCaptions brings back what was shown last.
export function toggleCaptions(wanted = !captionsShown()) {
  const all = list();
  if (all.length === 0) return;
  const track = all.find(({ language }) => language === before) ?? favourite();
  showCaptions(wanted ? (shown ?? track.language) : undefined);
  flash(wanted ? `Captions: ${track.label}` : "Captions off");
}

function addTracks() {
  if (video.querySelector("track")) return;
  for (const { language, label, src } of data.captions) {
    const track = document.createElement("track");
    Object.assign(track, { kind: "captions", srclang: language, label, src });
    video.append(track);
  }
}

function apply() {
  let done = false; // one is enough, should two have the same language
  for (const track of video.textTracks) {
    if (track.kind === "chapters" || track.kind === "metadata") continue;
    const mode = !done && track.language === shown ? "showing" : "disabled";
    done ||= mode === "showing";
    if (track.mode !== mode) track.mode = mode;
  }
  const button = $("captions");
  button.hidden = list().length === 0;
  button.toggleAttribute("data-on", captionsShown());
}
