/** Signals end the process at once, also while it computes: handlers exist only while files are written. */

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Number of calls of `unbroken`: the last call removes the listeners. */
let works = 0;
let isListening = false;

/**
 * Runs synchronous work that a signal must not interrupt. A signal that arrives meanwhile ends the process right after the
 * work.
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

/** Removes the listeners and sends the signal again, which then has its default effect. */
function end(signal: NodeJS.Signals): void {
  stop();
  process.kill(process.pid, signal);
}
