/** Arrays in device memory that a caller holds: whole buffers, and parts of them. */
import {
  type DeviceArray,
  errorOf,
  fromDevice,
  type HostArray,
  type InMemory,
  SCALARS,
  type Scalar,
  toDevice,
} from "@groupwise/core";
import { CL } from "./constants.ts";
import type { Handle, OpenCl } from "./ffi.ts";
import type { Line } from "./line.ts";
import type { Session } from "./program.ts";

/** What arrays are made on. */
export interface Home {
  readonly session: Session;
  readonly line: Line;
  /** @throws GroupwiseError `disposed` */
  check(): void;
  /** Every buffer that is not disposed. */
  readonly buffers: Set<Whole>;
}

/** Bytes of an element; a bool is 32 bits in device memory. */
export const elementBytes = (type: Scalar): number =>
  type === "bool" ? 4 : SCALARS[type].array.BYTES_PER_ELEMENT;

/** A buffer, and the parts of it that were handed to kernels. */
class Whole {
  readonly handle: Handle;
  readonly bytes: number;
  private readonly home: Home;
  private readonly parts = new Map<string, Handle>();
  private live = true;

  constructor(home: Home, bytes: number) {
    const { cl, context } = home.session;
    this.home = home;
    this.bytes = bytes;
    this.handle = cl.make("clCreateBuffer", context, CL.MEM_READ_WRITE, bytes, null);
    home.buffers.add(this);
  }

  get disposed(): boolean {
    return !this.live;
  }

  /** What kernels are given for a range of it, whose first byte is at a multiple of the device's alignment. */
  part(origin: number, bytes: number): Handle {
    if (origin === 0) return this.handle;
    const key = `${origin} ${bytes}`;
    const known = this.parts.get(key);
    if (known !== undefined) return known;
    const region = new BigUint64Array([BigInt(origin), BigInt(bytes)]);
    const made = this.home.session.cl.make(
      "clCreateSubBuffer",
      this.handle,
      CL.MEM_READ_WRITE,
      CL.BUFFER_CREATE_TYPE_REGION,
      region,
    );
    this.parts.set(key, made);
    return made;
  }

  dispose(): void {
    if (!this.live) return;
    this.live = false;
    this.home.buffers.delete(this);
    const { cl } = this.home.session;
    // Commands that are under way keep what they use.
    for (const part of this.parts.values()) cl.status("clReleaseMemObject", part);
    this.parts.clear();
    cl.status("clReleaseMemObject", this.handle);
  }
}
