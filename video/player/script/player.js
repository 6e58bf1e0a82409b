// Starts the player. Each module looks after one subject and finds its elements by
// itself.
import { $, data, on, player } from "./page.js";
import { options } from "./options.js";
import { play, startPlay } from "./play.js";
import { startSeek } from "./seek.js";
import { startRange } from "./range.js";
import { startSound } from "./sound.js";
import { startScreen } from "./screen.js";
import { startCaptions } from "./captions.js";
import { startChapters } from "./chapters.js";
import { startSettings } from "./settings.js";
import { startControls } from "./controls.js";
import { startActivity } from "./activity.js";
import { startKeys } from "./keys.js";
import { startSdk } from "./sdk.js";
import { startWatch } from "./watch.js";
import { startLive } from "./live.js";
import { ready } from "./waiting.js";

const waited = data.waiting;
for (const start of [startControls, startSound, startPlay, startSeek, startRange, startCaptions, startChapters, startSettings, startScreen, startActivity, startKeys, startWatch, startLive, startSdk]) start();
if (data.panoramic) on("attached", () => import("./panorama.js").then(({ startPanorama }) => startPanorama($("stage"))));
await ready();
if (options.autoplay || waited) play(); // whoever waited was told that it starts by itself
player.dataset.ready = "";
