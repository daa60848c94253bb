/** Buffers for the scratch arrays of steps: those of one queue use the same ones, one after the other. */
import type { Binding, Manifest } from "@groupwise/core";
import type { Sides } from "@groupwise/core/target";
import { isOptional, SCRATCH_ALIGNMENT, scratchPlan } from "@groupwise/core/target";
import { CL } from "../device/constants.ts";
import type { OpenClDevice } from "../device/device.ts";
import type { Handle, OpenCl } from "../device/ffi.ts";
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

  /** The driver keeps what queued commands use. */
  release(cl: OpenCl): void {
    for (const { handle } of this.held.splice(0)) cl.status("clReleaseMemObject", handle);
  }

  /** Releases what is not kept between submissions: the largest buffers, until the others fit. */
  trim(cl: OpenCl): void {
    let bytes = this.held.reduce((sum, one) => sum + one.bytes, 0);
    while (bytes > KEPT) {
      const largest = this.held.reduce((a, b) => (b.bytes > a.bytes ? b : a));
      // The others stay in their order: the same places need as much the next time.
      this.held.splice(this.held.indexOf(largest), 1);
      bytes -= largest.bytes;
      cl.status("clReleaseMemObject", largest.handle);
    }
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
