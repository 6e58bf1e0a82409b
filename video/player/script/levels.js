// The qualities of the picture. One is known by its lines, the short side: 720p
// of a phone's upright picture is 720 wide.
import { tell, video } from "./page.js";
import { options } from "./options.js";

let hls;

const linesOf = (level) => Math.min(level.width, level.height) || level.height;

export function startLevels(engine, { Events }) {
  hls = engine;
  hls.on(Events.MANIFEST_PARSED, () => {
    limitLevels();
    tell("levels");
  });
  hls.on(Events.LEVEL_SWITCHED, () => tell("levels"));
}

video.addEventListener("resize", () => {
  if (video.videoWidth) tell("level", { width: video.videoWidth, height: video.videoHeight });
});

// levels are those to choose from, best first.
export function levels() {
  return (hls?.levels ?? [])
    .map((level, index) => ({ index, lines: linesOf(level), chosen: !hls.autoLevelEnabled && hls.manualLevel === index }))
    .filter(({ lines }) => lines >= (options.minQuality ?? 0) && lines <= (options.maxQuality ?? Infinity))
    .sort((a, b) => b.lines - a.lines);
}

export const automatic = () => hls?.autoLevelEnabled ?? true;
export const shownLines = () => Math.min(video.videoWidth, video.videoHeight) || undefined;

// chooseLevel takes -1 for automatic. What is buffered of another quality is
// thrown away, so that the choice is seen soon.
export function chooseLevel(index) {
  if (!hls) return;
  hls.currentLevel = index;
  tell("levels");
}

// limitLevels keeps automatic choice within the bounds; the lowest and highest
// levels count as within when no level is.
export function limitLevels() {
  if (!hls?.levels.length) return;
  const sorted = hls.levels.map((level, index) => ({ index, lines: linesOf(level), rate: level.maxBitrate })).sort((a, b) => a.lines - b.lines);
  const top = sorted.filter(({ lines }) => lines <= (options.maxQuality ?? Infinity)).at(-1) ?? sorted[0];
  const bottom = sorted.find(({ lines }) => lines >= (options.minQuality ?? 0)) ?? sorted.at(-1);
  hls.capLevelToPlayerSize = !options.maxQuality && !options.minQuality;
  hls.autoLevelCapping = options.maxQuality ? top.index : -1;
  hls.config.minAutoBitrate = options.minQuality ? bottom.rate : 0;
  const chosen = hls.manualLevel;
  if (chosen >= 0 && !levels().some(({ index }) => index === chosen)) hls.currentLevel = -1;
}
