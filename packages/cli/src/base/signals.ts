/** Signals end the process at once, also while it computes: there are no handlers, except while files are written. */

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** How often there was work that must not be cut in two: the listeners stay for the last. */
let works = 0;
let isListening = false;

/**
 * Runs synchronous work that a signal must not cut in two. One that comes meanwhile ends the process right after the
 * work, as it would have done at once.
 */
export function unbroken<T>(work: () => T): T {
  const own = ++works;
  listen();
  try {
    return work();
  } finally {
    // The event loop handles signals between two rounds of immediates, including those that arrived during the work.
    setImmediate(() => setImmediate(() => own === works && stop()));
  }
}

function listen(): void {
  if (!isListening) for (const signal of SIGNALS) process.on(signal, end);
  isListening = true;
}

function stop(): void {
  for (const signal of SIGNALS) process.off(signal, end);
  isListening = false;
}

/** Without listeners the signal has its own effect again. */
function end(signal: NodeJS.Signals): void {
  stop();
  process.kill(process.pid, signal);
}
