/** OpenCL as a driver of the runtime: a context with a queue, and on GPUs a second one for transfers. */
import type { Driver, Handle, HostBytes, LaunchArgument, Marker, Range } from "@groupwise/core/queue";
import { errorOf } from "@groupwise/core/target";
import { QUIRKS } from "../print/quirks.ts";
import { CL } from "./constants.ts";
import type { OpenClDevice } from "./device.ts";
import type { HostMemory, OpenCl } from "./ffi.ts";

/** A device with its queues. */
export interface Queues {
  readonly info: OpenClDevice;
  readonly context: Handle;
  readonly queue: Handle;
  /** For memory that no unfinished command of `queue` uses: it waits for none of them. Undefined for devices whose transfers do not stop the host. */
  readonly transfers: Handle | undefined;
  /** Whether the queue records times. */
  readonly profiling: boolean;
}

/** Bytes of the pattern: an H200 (driver 580.159) fills with patterns of 1, 4 and 16 bytes at 0.4, 1.4 and 2.4 TB/s. */
const WIDEST = 16;
const ZEROS = new Uint8Array(WIDEST);
const COMPLETE = Number(CL.COMPLETE);
const NANOSECONDS = 1e6;

export class OpenClDriver implements Driver {
  readonly cl: OpenCl;
  readonly device: OpenClDevice;
  readonly readsApart: boolean;
  readonly elapsed?: NonNullable<Driver["elapsed"]>;
  private readonly queues: Queues;

  constructor(cl: OpenCl, queues: Queues) {
    this.cl = cl;
    this.queues = queues;
    this.device = queues.info;
    this.readsApart = queues.transfers !== undefined;
    if (queues.profiling) this.elapsed = (from, to) => Number(endOf(to) - endOf(from)) / NANOSECONDS;
  }

  get where(): string {
    return this.cl.where;
  }

  for(where: string): OpenClDriver {
    return new OpenClDriver(this.cl.for(this.cl.device, where), this.queues);
  }

  allocate(bytes: number, data: HostMemory): Handle {
    const { cl } = this;
    const { context, transfers } = this.queues;
    if (data !== null && transfers === undefined)
      return cl.make("clCreateBuffer", context, CL.MEM_READ_WRITE | CL.MEM_COPY_HOST_PTR, bytes, data);
    const made = cl.make("clCreateBuffer", context, CL.MEM_READ_WRITE, bytes, null);
    if (data === null) return made;
    try {
      this.enqueueWrite(transfers as Handle, { buffer: made, offset: 0 }, data);
      return made;
    } catch (error) {
      this.release(made);
      throw error;
    }
  }

  part(buffer: Handle, offset: number, bytes: number): Handle {
    const region = new BigUint64Array([BigInt(offset), BigInt(bytes)]);
    return this.cl.make(
      "clCreateSubBuffer",
      ...[buffer, CL.MEM_READ_WRITE, CL.BUFFER_CREATE_TYPE_REGION, region],
    );
  }

  release(memory: Handle): void {
    this.cl.status("clReleaseMemObject", memory);
  }

  clear({ buffer, offset }: Range, bytes: number, longest: number = QUIRKS.longFill.value): void {
    if (offset + bytes <= longest) {
      this.fill(buffer, offset, bytes);
      return;
    }
    for (let done = 0; done < bytes; done += longest) {
      const length = Math.min(longest, bytes - done);
      const part = this.part(buffer, offset + done, length);
      try {
        this.fill(part, 0, length);
      } finally {
        this.release(part);
      }
    }
  }

  private fill(target: Handle, first: number, length: number): void {
    const { cl } = this;
    const { queue } = this.queues;
    const rest = length % WIDEST;
    for (const [width, at, count] of [
      [WIDEST, first, length - rest],
      [1, first + length - rest, rest],
    ] as const)
      if (count > 0) cl.call("clEnqueueFillBuffer", queue, target, ZEROS, width, at, count, 0, null, null);
  }

  write(to: Range, data: NonNullable<HostMemory>): void {
    this.enqueueWrite(this.queues.queue, to, data);
  }

  private enqueueWrite(queue: Handle, { buffer, offset }: Range, data: NonNullable<HostMemory>): void {
    const bytes = data.byteLength;
    this.cl.call("clEnqueueWriteBuffer", queue, buffer, CL.TRUE, offset, bytes, data, 0, null, null);
  }

  copy(from: Range, to: Range, bytes: number): void {
    const ranges = [from.buffer, to.buffer, from.offset, to.offset, bytes] as const;
    this.cl.call("clEnqueueCopyBuffer", this.queues.queue, ...ranges, 0, null, null);
  }

  read(from: Range, to: HostBytes): void {
    this.enqueueRead(this.queues.queue, CL.FALSE, from, to);
  }

  readApart(from: Range, to: HostBytes): void {
    this.enqueueRead(this.queues.transfers as Handle, CL.TRUE, from, to);
  }

  private enqueueRead(queue: Handle, waits: number, { buffer, offset }: Range, to: HostBytes): void {
    this.cl.call("clEnqueueReadBuffer", queue, buffer, waits, offset, to.byteLength, to, 0, null, null);
  }

  launch(kernel: Handle, given: readonly LaunchArgument[], groups: number, workGroupSize: number): void {
    const { cl } = this;
    for (const [index, one] of given.entries()) {
      const bits = typeof one === "bigint" ? new BigUint64Array([one]) : one;
      cl.call("clSetKernelArg", kernel, index, bits.byteLength, bits);
    }
    const global = new BigUint64Array([BigInt(groups) * BigInt(workGroupSize)]);
    const local = new BigUint64Array([BigInt(workGroupSize)]);
    cl.call("clEnqueueNDRangeKernel", this.queues.queue, kernel, 1, null, global, local, 0, null, null);
  }

  /** One marker stands for all kernels of a submission: with an event for each kernel, each takes 2 to 3 us longer on NVIDIA's driver. */
  mark(): OpenClMarker {
    const event = new BigUint64Array(1);
    this.cl.call("clEnqueueMarkerWithWaitList", this.queues.queue, 0, null, event);
    return new OpenClMarker(this.cl, event[0] as Handle);
  }

  flush(): void {
    this.cl.call("clFlush", this.queues.queue);
  }

  finish(): number {
    return this.cl.status("clFinish", this.queues.queue);
  }

  async finishElsewhere(): Promise<number> {
    if (this.device.platform === QUIRKS.oneThread.value) return this.finish();
    return this.cl.callAsync("clFinish", this.queues.queue);
  }

  check(call: string, status: number): void {
    this.cl.check(call, status);
  }

  now(): number {
    return performance.now();
  }

  defer(act: () => void): void {
    process.nextTick(act);
  }

  letOthersRun(): void {
    this.cl.letOthersRun();
  }
}

/** What the device says of all that is queued before an event. */
class OpenClMarker implements Marker {
  readonly cl: OpenCl;
  readonly event: Handle;

  constructor(cl: OpenCl, event: Handle) {
    this.cl = cl;
    this.event = event;
  }

  /** Negative if a command, or the query, failed. */
  private status(): number {
    const status = new Int32Array(1);
    const kind = CL.EVENT_COMMAND_EXECUTION_STATUS;
    const failed = this.cl.status("clGetEventInfo", this.event, kind, status.byteLength, status, null);
    return failed === 0 ? (status[0] as number) : failed;
  }

  isEnded(): boolean {
    return this.status() <= COMPLETE;
  }

  check(): void {
    const status = this.status();
    if (status < 0) this.cl.check("a kernel", status);
  }

  release(): void {
    this.cl.status("clReleaseEvent", this.event);
  }
}

const endOf = (marker: Marker): bigint => {
  if (!(marker instanceof OpenClMarker))
    throw errorOf("bad-usage", {
      reason: "the marker is of another library",
      hint: "pass a marker of this driver",
    });
  return marker.cl.integer("clGetEventProfilingInfo", marker.event, CL.PROFILING_COMMAND_END);
};
