// Player pages with a small video, on a free port: a program of its own, so that
// the player is tested without anything being encoded by the service.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { openPage } from "./watched_page.js";

const root = path.resolve(import.meta.dirname, "../..");

// startPlayer builds the program, and returns when it answers.
export async function startPlayer() {
  const folder = await mkdtemp(path.join(tmpdir(), "stoa-browser-"));
  const run = promisify(execFile);
  await run(path.join(root, "scripts/player.sh"));
  await run("go", ["build", "-o", path.join(folder, "playertest"), "./video/player/playertest"], { cwd: root, env: { ...process.env, CGO_ENABLED: "0" } });
  const child = spawn(path.join(folder, "playertest"), { stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(child, "close");
  const log = [];
  const address = await new Promise((done, fail) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      log.push(line);
      const [, address] = /Listening for player on '([^']+)'/.exec(line) ?? [];
      if (address) done(address);
    });
    ended.then(() => fail(new Error(`the player's server ended by itself:\n${log.join("\n")}`)));
  });
  return new Player(`http://${address}`, async () => {
    child.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true });
  });
}

class Player {
  constructor(origin, stop) {
    Object.assign(this, { origin, stop });
  }

  // open shows a video: what is in query and fragment is in ../../video/player.
  open(browser, id, { query = "", fragment = "", ...options } = {}) {
    return openPage(browser, `${this.origin}/vod/${id}?${query}#${fragment}`, options);
  }

  // setSegments says how many there are so far.
  async setSegments(id, n) {
    await fetch(`${this.origin}/vod/${id}/segments`, { method: "PUT", body: String(n) });
  }

  // events are those that the collector got for a video, of all batches.
  async events(id) {
    return (await this.batches(id)).flatMap(({ body }) => body.eve);
  }

  async batches(id) {
    return (await fetch(`${this.origin}/watched/${id}`)).json();
  }
}

export const startedPlaying = (page) => page.waitForFunction(() => {
  const video = document.querySelector("#video");
  return !video.paused && video.currentTime > 0.3;
});

export const video = (page, f) => page.$eval("#video", f);
