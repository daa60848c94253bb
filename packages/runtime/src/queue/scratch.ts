/** Buffers for the scratch arrays of steps: those of one queue use the same ones, one after the other. */
import type { Sides } from "@groupwise/ir/base/formula.js";
import { type Binding, type Manifest, SCRATCH_ALIGNMENT } from "../plan/manifest.ts";
import { isOptional, scratchPlan } from "../run/scratch.ts";
import type { Driver, Handle, QueueDevice } from "./driver.ts";
import { bytesOf } from "./launch.ts";

/** The alignment of the parts of one scratch buffer: that of manifests, or the device's if it is larger. */
export const scratchAlignment = ({ alignment }: QueueDevice): number =>
  Math.max(SCRATCH_ALIGNMENT, alignment);

/** Bytes of one buffer for the scratch of a range. */
export const scratchBytes = (device: QueueDevice, manifest: Manifest, sides: Sides): number =>
  scratchPlan(manifest, sides, { alignment: scratchAlignment(device) }).bytes;

/** Bytes that a runtime keeps between submissions. A driver takes longer to make a buffer than to queue a kernel. */
const KEPT = 64 * 2 ** 20;

interface Held {
  readonly handle: Handle;
  readonly bytes: number;
}

/** Buffers of their own, which grow to what the largest step needs. */
export class Arena {
  private readonly driver: Driver;
  private readonly held: Held[] = [];

  constructor(driver: Driver) {
    this.driver = driver;
  }

  /** A buffer for each array that is not `given`; it may have contents of an earlier step. @param named for errors */
  take(
    named: Driver,
    manifest: Manifest,
    sides: Sides,
    given: (binding: Binding) => boolean,
  ): Map<string, Handle> {
    const wanted = manifest.bindings.filter((binding) => isOptional(binding) && !given(binding));
    return new Map(wanted.map((binding, i) => [binding.name, this.at(named, i, bytesOf(binding, sides))]));
  }

  release(): void {
    for (const { handle } of this.held.splice(0)) this.driver.release(handle);
  }

  /** Releases what is not kept between submissions: the largest buffers, until the others fit. */
  trim(): void {
    let bytes = this.held.reduce((sum, one) => sum + one.bytes, 0);
    while (bytes > KEPT) {
      const largest = this.held.reduce((a, b) => (b.bytes > a.bytes ? b : a));
      // The others stay in their order: the same places need as much the next time.
      this.held.splice(this.held.indexOf(largest), 1);
      bytes -= largest.bytes;
      this.driver.release(largest.handle);
    }
  }

  private at(named: Driver, place: number, bytes: number): Handle {
    const known = this.held[place];
    if (known && known.bytes >= bytes) return known.handle;
    const handle = named.allocate(bytes, null);
    this.held[place] = { handle, bytes };
    if (known) this.driver.release(known.handle);
    return handle;
  }
}
