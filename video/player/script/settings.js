// The settings menu: quality, speed, download.
import { $, data, flash, on, say, video } from "./page.js";
import { automatic, chooseLevel, levels, shownLines } from "./levels.js";
import { attachMenu } from "./menu.js";
import { isOff } from "./controls.js";

const rates = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

export function startSettings() {
  attachMenu($("more"), "Settings", () => [
    ...(levels().length ? [{ label: "Quality", value: qualityName(), open: qualities }] : []),
    ...(isOff("playbackRate") || data.live ? [] : [{ label: "Speed", value: rateName(video.playbackRate), open: speeds }]),
    ...(isOff("download") || !data.mp4 ? [] : [{ label: "Download", href: downloadAddress() }]),
  ]);
  for (const event of ["levels", "attached", "controls"]) on(event, draw);
  draw();
}

// draw hides the button when there is nothing to set.
function draw() {
  $("more").hidden = data.live && !levels().length && !data.mp4;
}

function qualities() {
  return [
    { label: "Automatic", value: automatic() && shownLines() ? `${shownLines()}p` : "", checked: automatic(), choose: () => chooseLevel(-1) },
    ...levels().map(({ index, lines, chosen }) => ({
      label: `${lines}p`, checked: chosen, choose: () => { chooseLevel(index); say(`Quality ${lines}p`); },
    })),
  ];
}

const qualityName = () => {
  const chosen = levels().find((level) => level.chosen);
  return chosen ? `${chosen.lines}p` : "Automatic";
};

const rateName = (rate) => (rate === 1 ? "Normal" : `${rate}×`);

const speeds = () => rates.map((rate) => ({
  label: rateName(rate), checked: video.playbackRate === rate, choose: () => setRate(rate),
}));

export function setRate(rate) {
  if (!(rate >= 0.0625 && rate <= 16)) return;
  video.defaultPlaybackRate = rate; // survives a new source
  video.playbackRate = rate;
}

// stepRate goes to the next slower or faster of the menu.
export function stepRate(direction) {
  const next = direction > 0 ? rates.find((rate) => rate > video.playbackRate) : rates.findLast((rate) => rate < video.playbackRate);
  if (next) setRate(next);
  flash(`Speed ${video.playbackRate}×`);
}

export function downloadAddress() {
  const address = new URL(data.mp4, location.href);
  address.searchParams.set("dl", "1");
  return address.href;
}
