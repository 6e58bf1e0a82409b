// The videos for a test: a service on a free port with a folder of its own, the
// official client with a key of that service, and small sources.
import ApiVideoClient from "@api.video/nodejs-client";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import https from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { runStoa, startStoa } from "./stoa.js";
import { until } from "./until.js";

const run = promisify(execFile);

// patience is for what has to be encoded, on a machine that has other things to do.
const patience = 180_000;

// startVideo returns when the service answers. With tls it speaks HTTPS, with a
// certificate that only the official client of this process trusts. It may call hosts
// of this machine.
export async function startVideo({ tls = false, settings = {} } = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), "stoa-browser-"));
  const env = {
    PATH: process.env.PATH, STOA_DATA: path.join(folder, "data"), STOA_VIDEO_LISTEN: "127.0.0.1:0", STOA_SECOND_LISTEN: "off", STOA_RTMP_LISTEN: "off", STOA_SRT_LISTEN: "off", STOA_WHIP_LISTEN: "off",
    STOA_EGRESS_ALLOW: "127.0.0.1/32", DEBUG_HOST: "127.0.0.1", DEBUG_PORT: "0", DISABLE_STATS: "true", ...settings,
  };
  if (tls) Object.assign(env, await certificate(folder));
  const { addresses, stop } = await startStoa("video", folder, env, "video");
  const origin = `${tls ? "https" : "http"}://${addresses.video}`;
  const key = await runStoa(["apikey", "create", "tests", "--limits", "100000/100000/100000"], folder, env);
  return new Video({ origin, addresses, folder, env, key }, async () => {
    await stop();
    await rm(folder, { recursive: true });
  });
}

async function certificate(folder) {
  const cert = path.join(folder, "cert.pem"), key = path.join(folder, "key.pem");
  await run("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
    "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert]);
  https.globalAgent.options.ca = await readFile(cert);
  return { STOA_TLS_CERT: cert, STOA_TLS_KEY: key };
}

class Video {
  constructor({ origin, addresses, folder, env, key }, stop) {
    Object.assign(this, { origin, addresses, folder, env, key, stop, host: new URL(origin).host });
    this.client = this.clientWith({});
  }

  // clientWith is the official client; chunks are the smallest it can send.
  clientWith(options) {
    return new ApiVideoClient({ baseUri: this.origin, apiKey: this.key, chunkSize: 5 * 1024 * 1024, ...options });
  }

  // source makes a file with moving pictures and a tone. One that is large has
  // more than 5 MiB, so that clients send it in chunks.
  async source(name, { seconds = 12, large = false } = {}) {
    const file = path.join(this.folder, name);
    await run("ffmpeg", ["-v", "error", "-y", "-f", "lavfi", "-i", `testsrc2=size=640x360:rate=24:duration=${seconds}`,
      "-f", "lavfi", "-i", `sine=frequency=440:duration=${seconds}`, ...(large ? ["-b:v", "5M"] : []),
      "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", file]);
    return file;
  }

  // encoded waits for every quality of a video, and returns its status.
  async encoded(id) {
    let status;
    await until(`video ${id} encoded`, async () => {
      status = await this.client.videos.getStatus(id);
      const failed = status.encoding.qualities.filter((q) => q.status === "failed");
      if (failed.length > 0) throw new Error(`encoding failed: ${JSON.stringify(status)}`);
      return status.encoding.qualities.length > 0 && status.encoding.qualities.every((q) => q.status === "encoded");
    }, patience).catch((error) => {
      throw new Error(`${error.message}: ${JSON.stringify(status)}`);
    });
    return status;
  }
}
