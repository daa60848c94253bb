/** The order in which device arrays are written, worked on and read: that in which it was asked for. */

/**
 * What is asked for is done at once, unless something before it still waits for the device: a step whose number
 * of items stands in device memory. Then it is done when its turn comes.
 */
export class Line {
  private tail: Promise<unknown> | undefined;
  private failure: unknown;

  /** Something waits, so that what is asked for now may be done later. */
  get busy(): boolean {
    return this.tail !== undefined;
  }

  /** Does it in its turn; at once, and not in a promise's time, where nothing waits. */
  do<T>(act: () => T | Promise<T>): T | Promise<T> {
    const done = this.tail ? this.tail.then(act) : act();
    if (done instanceof Promise) {
      const tail: Promise<unknown> = done
        .catch(() => undefined)
        .then(() => {
          if (this.tail === tail) this.tail = undefined;
        });
      this.tail = tail;
    }
    return done;
  }

  /** For what nobody waits for: its error comes from the next `check`. */
  post(act: () => void): void {
    const done = this.do(act) as Promise<void> | undefined;
    done?.catch((error: unknown) => {
      this.failure ??= error;
    });
  }

  /** Throws what went wrong in something that was posted and done later, once. */
  check(): void {
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
  }
}
