/** What a native library does for the runtime of one device: memory, kernels, and commands that are done in order. */
import type { HostArray } from "@groupwise/ir/tables/scalar.js";

/** A pointer or an object of a native library. */
export type Handle = bigint;

/** Memory of the host. */
export type HostBytes = ArrayBuffer | ArrayBufferView;

/** A range of a buffer. */
export interface Range {
  readonly buffer: Handle;
  /** The first byte. */
  readonly offset: number;
}

/** A device, as its driver describes it. */
export interface QueueDevice {
  readonly name: string;
  readonly maxWorkGroupSize: number;
  /** Bytes of work-group memory. */
  readonly localMemory: number;
  /** Bytes of device memory. */
  readonly globalMemory: number;
  /** Bytes of the largest buffer. */
  readonly maxAllocation: number;
  /** Alignment in bytes of the parts of a buffer that kernels use. */
  readonly alignment: number;
}

/** A place in the queue. It is released by who made it. */
export interface Marker {
  /** Whether the device has done all that is queued before it, or failed. */
  isEnded(): boolean;
  /** @throws GroupwiseError `device-error` if a command before it failed; the queue is done */
  check(): void;
  release(): void;
}

/** Words of the host that the device writes. */
export interface HostWords {
  /** How many. */
  readonly length: number;
  /** Queues a read of a word. */
  read(from: Range, index: number): void;
  /** Consecutive words whose reads the device has done. */
  take(first: number, count: number): Uint32Array;
  release(): void;
}

/** The argument of a kernel: the bits of a scalar, or memory of the device. */
export type LaunchArgument = ArrayBufferView | Handle;

/** Commands are queued in the order of the calls, and no call waits unless it says so. A call that fails throws `device-error`. */
export interface Driver {
  readonly device: QueueDevice;
  /** The pipeline that calls are made for, for messages; empty where there is none. */
  readonly where: string;
  /** The same driver, whose errors name a pipeline. */
  for(where: string): Driver;

  /** Memory whose first bytes are `data`, which the host may change when this returns; other bytes are undefined. */
  allocate(bytes: number, data: HostArray | null): Handle;
  /** What a kernel is given for a part of a buffer, which begins at a multiple of the device's alignment. */
  part(buffer: Handle, offset: number, bytes: number): Handle;
  /** Releases a buffer or a part; queued commands still use it. */
  release(memory: Handle): void;
  /** Queues zeros. The range is no part of another buffer, and begins at a multiple of the device's alignment. */
  clear(range: Range, bytes: number): void;
  /** Waits for earlier commands. */
  write(to: Range, data: HostArray): void;
  /** Queues a copy of at least one byte. */
  copy(from: Range, to: Range, bytes: number): void;
  /** Queues a read. The memory must live until the queue is done. It may wait for earlier commands if `readsApart`. */
  read(from: Range, to: HostBytes): void;
  /** Whether `readApart` is there: reads through the queue would make the host wait. */
  readonly readsApart: boolean;
  /** Reads, and waits for this alone: no unfinished command may use the range. */
  readApart(from: Range, to: HostBytes): void;
  /** Words of memory that the device writes while the host goes on, where this is faster than reads. */
  pinned?(length: number): HostWords;
  /** Queues a kernel of at least one work-group. */
  launch(kernel: Handle, given: readonly LaunchArgument[], groups: number, workGroupSize: number): void;

  mark(): Marker;
  /** Makes the device begin with what is queued. */
  flush(): void;
  /** Waits for the queue. @returns the library's status; 0: done */
  finish(): number;
  /** As `finish`, on another thread. */
  finishElsewhere(): Promise<number>;
  /** @param call what returned the status, for the message. @throws GroupwiseError `device-error` unless it is 0 */
  check(call: string, status: number): void;
  /** Milliseconds of a clock of the host. */
  now(): number;
  /** Calls it when what runs now is done, before the event loop goes on. */
  defer(act: () => void): void;
  /** Lets other threads run on the core of this one, such as those of a device that is a CPU. */
  letOthersRun(): void;
  /** Milliseconds between two markers that the device passed; undefined if the queue records no times. */
  readonly elapsed?: (from: Marker, to: Marker) => number;
}
