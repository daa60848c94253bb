/** Buffers for the scratch arrays of steps: those of one queue use the same ones, one after the other. */
import type { Binding, Manifest } from "@groupwise/core";
import type { Sides } from "@groupwise/core/target";
import { isOptional, SCRATCH_ALIGNMENT, scratchPlan } from "@groupwise/core/target";
import { CL } from "../driver/constants.ts";
import type { OpenClDevice } from "../driver/device.ts";
import type { Handle, OpenCl } from "../driver/ffi.ts";
import { bytesOf } from "./launch.ts";

/** The alignment of the parts of one scratch buffer: that of manifests, or the device's if it is larger. */
export const scratchAlignment = ({ alignment }: OpenClDevice): number =>
  Math.max(SCRATCH_ALIGNMENT, alignment);

/** Bytes of one buffer for the scratch of a range. */
export const scratchBytes = (info: OpenClDevice, manifest: Manifest, sides: Sides): number =>
  scratchPlan(manifest, sides, { alignment: scratchAlignment(info) }).bytes;

/** Bytes that a runtime keeps between submissions. A driver takes longer to make a buffer than to queue a kernel. */
const KEPT = 64 * 2 ** 20;

interface Held {
  readonly handle: Handle;
  readonly bytes: number;
}

/** Buffers of their own, which grow to what the largest step needs. */
export class Arena {
  private readonly context: Handle;
  private readonly held: Held[] = [];

  constructor(context: Handle) {
    this.context = context;
  }

  /** A buffer for each array that is not `given`; it may have contents of an earlier step. */
  take(
    cl: OpenCl,
    manifest: Manifest,
    sides: Sides,
    given: (binding: Binding) => boolean,
  ): Map<string, Handle> {
    const wanted = manifest.bindings.filter((binding) => isOptional(binding) && !given(binding));
    return new Map(wanted.map((binding, i) => [binding.name, this.at(cl, i, bytesOf(binding, sides))]));
  }

  /** Releases the buffers, or the largest ones until the others have at most so many bytes. The driver keeps what queued commands use. */
  release(cl: OpenCl, kept: number = 0): void {
    const small = new Set<Held>();
    let bytes = 0;
    for (const one of [...this.held].sort((a, b) => a.bytes - b.bytes)) {
      bytes += one.bytes;
      if (bytes <= kept) small.add(one);
    }
    // The same places need as much the next time.
    for (const one of this.held.splice(0))
      if (small.has(one)) this.held.push(one);
      else cl.status("clReleaseMemObject", one.handle);
  }

  /** Releases what is not kept between submissions. */
  trim(cl: OpenCl): void {
    this.release(cl, KEPT);
  }

  private at(cl: OpenCl, place: number, bytes: number): Handle {
    const known = this.held[place];
    if (known && known.bytes >= bytes) return known.handle;
    const handle = cl.make("clCreateBuffer", this.context, CL.MEM_READ_WRITE, bytes, null);
    this.held[place] = { handle, bytes };
    if (known) cl.status("clReleaseMemObject", known.handle);
    return handle;
  }
}
