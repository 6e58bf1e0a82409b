// What is not there yet: ask until it is, for the manifest of a video or what a live
// stream does, then show the player in place of the message.
import { $, data, player, say } from "./page.js";
import { begun } from "./live.js";
import { lookAgain, verdict } from "./verdict.js";

const first = 2000; // ms
const longest = 15000;

// ready returns when there is something to play, at once if there was all along.
export async function ready() {
  if (!data.waiting) return;
  await (data.live ? begun() : encoded());
  data.waiting = false;
  $("message").remove();
  player.hidden = false;
  say(data.live ? "The broadcast has begun" : "The video is ready");
}

async function encoded() {
  for (let pause = first; ; pause = Math.min(pause * 1.25, longest)) {
    const now = await verdict();
    if (now === "there") return;
    if (now === "over") lookAgain();
    await new Promise((go) => setTimeout(go, pause));
  }
}
