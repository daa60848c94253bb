/** OpenCL objects that must be released, in the reverse order of their creation. */
import { errorOf } from "@groupwise/core/target";
import type { Handle, OpenCl } from "./ffi.ts";

const RELEASE = {
  context: "clReleaseContext",
  queue: "clReleaseCommandQueue",
  buffer: "clReleaseMemObject",
  program: "clReleaseProgram",
  kernel: "clReleaseKernel",
  event: "clReleaseEvent",
} as const;

/** Collects objects while they are made; `release` releases all of them, also after a failure halfway. */
export class Pool {
  private readonly cl: OpenCl;
  private readonly held: { readonly kind: keyof typeof RELEASE; readonly handle: Handle }[] = [];

  constructor(cl: OpenCl) {
    this.cl = cl;
  }

  add(kind: keyof typeof RELEASE, handle: Handle): Handle {
    this.held.push({ kind, handle });
    return handle;
  }

  release(): void {
    // A status here is of no use to anyone: the object is gone either way.
    for (let one = this.held.pop(); one; one = this.held.pop()) this.cl.status(RELEASE[one.kind], one.handle);
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
