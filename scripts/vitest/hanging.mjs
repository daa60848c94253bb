// A test that never returns to the event loop cannot be ended by Vitest's limit for tests, which is a timer of the same thread.
// Another thread names each test that runs for a minute, and after ten minutes without a turn reports the stack and ends the process.
import { fileURLToPath } from "node:url";
import { SHARE_ENV, Worker } from "node:worker_threads";

/** No compiler keeps the thread this long. */
const LIMIT_MS = 10 * 60_000;
const BEAT_MS = 1000;

/**
 * Starts the thread that observes this one.
 * @param limit milliseconds without a turn of the event loop
 * @returns states what runs
 */
export function observe(limit = LIMIT_MS, beat = BEAT_MS) {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(fileURLToPath(new URL("hanging-thread.mjs", import.meta.url)), {
    workerData: { beats, limit },
    env: SHARE_ENV,
    execArgv: [],
  });
  worker.unref();
  setInterval(() => Atomics.add(beats, 0, 1), beat).unref();
  return (name) => worker.postMessage(name);
}
