// bin/stoa as a process of its own, on free ports.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const binary = path.resolve(import.meta.dirname, "../../bin/stoa");

// startStoa serves one service, or several, out of a folder. It returns when the listeners
// that are named are open, with the addresses of all.
export async function startStoa(services, folder, env, ...wanted) {
  const child = spawn(binary, ["serve", ...[services].flat()], { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(child, "close");
  const log = [];
  const addresses = {};
  const open = new Promise((done) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      log.push(line);
      const listening = /Listening for ([\w ]+) on '([^']+)'/.exec(line);
      if (listening) addresses[listening[1]] = listening[2];
      if (wanted.every((name) => addresses[name])) done();
    });
  });
  const early = ended.then(([code, signal]) => {
    throw new Error(`stoa ended by itself, ${signal ?? `exit code ${code}`}:\n${log.join("\n")}`);
  });
  await Promise.race([open, early]);
  let stopped = false;
  early.catch((error) => {
    if (!stopped) console.error(error.message); // tests will fail, and this is why
  });
  return {
    addresses,
    async stop() {
      stopped = true;
      child.kill("SIGTERM");
      await ended;
    },
  };
}

// runStoa runs a command in a folder, gives it input, and returns what it prints.
export async function runStoa(args, folder, env, input = "") {
  const running = promisify(execFile)(binary, args, { cwd: folder, env });
  running.child.stdin.end(input);
  return (await running).stdout.trim();
}
