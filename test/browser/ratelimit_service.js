// A rate limit service of its own for a test, on free ports.
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startStoa } from "./stoa.js";

export const hostileRule = `<script>window.hostile = "rule"</script>`;

const rules = `
domain: shop
descriptors:
  - key: path
    value: /api*
    rate_limit: {unit: second, requests_per_unit: 1000}
    descriptors:
      - key: user
        rate_limit: {unit: minute, requests_per_unit: 3}
  - key: trial
    shadow_mode: true
    rate_limit: {unit: minute, unit_multiplier: 5, requests_per_unit: 2}
  - key: '${hostileRule}'
    rate_limit: {unit: hour, requests_per_unit: 5}
  - key: partner
    rate_limit: {unlimited: true}
`;

// startService returns when the service answers.
export async function startService({ debugPort = "0" } = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), "stoa-browser-"));
  await mkdir(path.join(folder, "config"));
  await writeFile(path.join(folder, "config", "shop.yaml"), rules);
  const { addresses, stop } = await startStoa("ratelimit", folder, {
    HOST: "127.0.0.1", PORT: "0", GRPC_HOST: "127.0.0.1", GRPC_PORT: "0", DEBUG_HOST: "127.0.0.1", DEBUG_PORT: debugPort,
    RUNTIME_ROOT: folder, DISABLE_STATS: "true",
  }, "gRPC");
  return {
    live: `http://${addresses.debug}/live`,
    debugPort: new URL(`http://${addresses.debug}`).port,
    ask: (descriptor, hits = 1) => ask(addresses.HTTP, descriptor, hits),
    async stop() {
      await stop();
      await rm(folder, { recursive: true });
    },
  };
}

// ask sends one descriptor, {path: "/api", user: "u1"}, and returns the HTTP status.
async function ask(address, descriptor, hitsAddend) {
  const entries = Object.entries(descriptor).map(([key, value]) => ({ key, value }));
  const response = await fetch(`http://${address}/json`, {
    method: "POST",
    body: JSON.stringify({ domain: "shop", descriptors: [{ entries }], hitsAddend }),
  });
  await response.arrayBuffer();
  return response.status;
}

// keepAsking sends traffic until it is stopped.
export function keepAsking(service, descriptors) {
  let on = true;
  const done = (async () => {
    while (on) {
      await Promise.all(descriptors.map((d) => service.ask(d)));
      await new Promise((go) => setTimeout(go, 50));
    }
  })();
  return async () => {
    on = false;
    await done;
  };
}
