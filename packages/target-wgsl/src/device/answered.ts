/** Answers of a device that looks at its finished work only now and then, as Firefox does every 100 ms. */

/** Milliseconds after which nothing is submitted any more: it looks by itself. */
const LAST = 60_000;
/** The share of the time so far after which it looks again. */
const SHARE = 1 / 4;

/**
 * Waits for a mapped buffer or for submitted work. Firefox also looks when something is submitted, so nothing is: soon, and then after a
 * quarter of the time that has gone by. A device that answers within a millisecond does not notice.
 */
export async function answered<T>({ queue }: GPUDevice, promise: Promise<T>): Promise<T> {
  let elapsed = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const after = (wait: number): void => {
    timer = setTimeout(() => {
      queue.submit([]);
      elapsed += wait;
      if (elapsed < LAST) after(Math.max(1, Math.floor(elapsed * SHARE))); // clocks round fractions
    }, wait);
  };
  after(0);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
