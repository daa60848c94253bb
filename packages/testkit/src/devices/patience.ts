/**
 * While anything is pending, Dawn looks for its end in every turn of the event loop, by `setImmediate`: a processor is busy with
 * waiting, beside those that the driver compiles on. Here it looks rarely after a while.
 */

/** Looks before it waits between them: what is about to end is seen at once. */
const EAGER = 40;
const WAIT_MS = 1;
/** Longer without a look: something else is waited for. */
const PAUSE_MS = 30;

/** What native code passes, as Dawn does; functions of JavaScript keep the order that they rely on. */
const isNative = (callback: unknown): boolean =>
  typeof callback === "function" && callback.name === "" && String(callback).endsWith("{ [native code] }");

let isPatient = false;

/** Makes Dawn wait between looks in this process. Before Dawn is loaded, once. */
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
