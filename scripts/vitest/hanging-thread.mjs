// The thread of `hanging.mjs`.
import { writeSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { setTimeout } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

const { beats, limit } = workerData;
const LOOKS = 20;
/** The inspector answers at the next statement of JavaScript: never, if a library holds the thread. */
const ANSWER_MS = 30_000;

/** How often a test is named that still runs: each time after this part of the limit. */
const NAMED = LOOKS / 10;

let what = "no file";
let looks = 0;
parentPort.on("message", (name) => {
  what = name;
  looks = 0;
});

/** The frames of the main thread, the innermost first; undefined if it runs no JavaScript. */
async function stackOfMain() {
  const session = new Session();
  session.connectToMainThread();
  const paused = new Promise((resolve) =>
    session.once("Debugger.paused", ({ params }) => resolve(params.callFrames)),
  );
  const urls = new Map();
  session.on("Debugger.scriptParsed", ({ params }) => urls.set(params.scriptId, params.url));
  session.post("Debugger.enable").catch(() => {});
  session.post("Debugger.pause").catch(() => {});
  const frames = await Promise.race([paused, setTimeout(ANSWER_MS)]);
  return frames?.map(
    ({ functionName, location, url }) =>
      `    at ${functionName || "(anonymous)"} (${url || urls.get(location.scriptId)}:${location.lineNumber + 1})`,
  );
}

// Counts looks, not the clock: a machine that was suspended has missed none.
for (let seen = -1, missed = 0; ; ) {
  await setTimeout(limit / LOOKS);
  const now = Atomics.load(beats, 0);
  missed = now === seen ? missed + 1 : 0;
  seen = now;
  looks += 1;
  if (looks % NAMED === 0)
    writeSync(2, `\n${what}: has run for ${Math.round((looks * limit) / LOOKS / 1000)} s\n`);
  if (missed < LOOKS) continue;
  const frames = await stackOfMain();
  const where = frames?.join("\n") ?? "    in a library";
  // The stream of a process that ends may lose what it is given.
  writeSync(2, `\n${what}: the thread has been busy for ${Math.round(limit / 1000)} s\n${where}\n`);
  process.kill(process.pid, "SIGKILL");
}
