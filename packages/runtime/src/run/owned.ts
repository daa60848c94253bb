/** Objects that live until their last user is done. */
import { errorOf } from "@groupwise/ir/base/errors.js";

/** Lives until it was disposed and its last user is done. */
export class Owned {
  private users = 0;
  private disposed = false;
  private readonly what: string;
  private readonly end: () => void;

  constructor(what: string, end: () => void) {
    this.what = what;
    this.end = end;
  }

  /** @throws GroupwiseError `disposed` */
  check(): void {
    if (this.disposed) throw errorOf("disposed", { what: this.what });
  }

  /**
   * Retains it; the returned function releases it, once.
   * @throws GroupwiseError `disposed`
   */
  use(): () => void {
    this.check();
    return this.retain();
  }

  /** Whether it lives only until its last user is done. */
  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Retains it for work of a user, which may have been disposed meanwhile. */
  retain(): () => void {
    this.users++;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.users--;
      this.endIfUnused();
    };
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.endIfUnused();
  }

  private endIfUnused(): void {
    if (this.disposed && this.users === 0) this.end();
  }
}
