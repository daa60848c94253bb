/** Native objects: those that are released together, and those that live until their last user is done. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Handle } from "./driver.ts";

/** Collects objects while they are made; `release` releases all of them in the reverse order, also after a failure halfway. */
export class Pool {
  private readonly held: { readonly handle: Handle; readonly free: (handle: Handle) => void }[] = [];

  add(handle: Handle, free: (handle: Handle) => void): Handle {
    this.held.push({ handle, free });
    return handle;
  }

  release(): void {
    for (let one = this.held.pop(); one; one = this.held.pop()) one.free(one.handle);
  }
}

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
