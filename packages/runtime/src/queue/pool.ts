/** Native objects that are released together. */
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
