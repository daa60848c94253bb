/**
 * While anything is pending, Dawn polls in every turn of the event loop, by `setImmediate`, and keeps a processor busy while
 * the driver compiles on others. This module makes it poll less often after a while.
 */

/** Number of polls without waiting, so that short work is noticed at once. */
const EAGER = 40;
const WAIT_MS = 1;
/** After this time without a poll, a new wait has begun. */
const PAUSE_MS = 30;

/** Only functions of native code are delayed, such as Dawn's; functions of JavaScript keep their order. */
const isNative = (callback: unknown): boolean =>
  typeof callback === "function" && callback.name === "" && String(callback).endsWith("{ [native code] }");

let isPatient = false;

/** Makes Dawn wait between polls in this process. Call it once, before Dawn is loaded. */
export function waitPatiently(): void {
  if (isPatient) return;
  isPatient = true;
  const { setImmediate: soon, setTimeout: later } = globalThis;
  let looks = 0;
  let last = 0;
  const patient = (callback: (...args: unknown[]) => void, ...args: unknown[]): unknown => {
    if (!isNative(callback)) return soon(callback, ...args);
    const now = performance.now();
    looks = now - last > PAUSE_MS ? 0 : looks + 1;
    last = now;
    return looks < EAGER ? soon(callback, ...args) : later(callback, WAIT_MS, ...args);
  };
  globalThis.setImmediate = Object.assign(patient, soon) as unknown as typeof setImmediate;
}
