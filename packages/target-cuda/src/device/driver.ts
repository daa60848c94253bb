/** CUDA as a driver of the runtime: a stream, and a second one for transfers, because a copy of memory that is not pinned waits for its stream. */
import type {
  Driver,
  Handle,
  HostBytes,
  HostWords,
  LaunchArgument,
  Marker,
  Range,
} from "@groupwise/core/queue";
import { errorOf } from "@groupwise/core/target";
import type { CudaDevice } from "./device.ts";
import type { Cuda } from "./ffi.ts";

/** What is open on a device. */
export interface Streams {
  readonly info: CudaDevice;
  readonly context: Handle;
  readonly pool: Handle;
  readonly queue: Handle;
  readonly transfers: Handle;
  /** By which `queue` waits for `transfers`. */
  readonly arrived: Handle;
  /** Whether markers record times. */
  readonly profiling: boolean;
  /** The buffers that are allocated: other handles are pointers into them. */
  readonly buffers: Set<Handle>;
}

type Memory = ArrayBufferView;

const WORD = 4;
const NOT_READY = 600;
/** Of cuda.h: an event that records no time, and the extra arguments of a launch. */
const DISABLE_TIMING = 2;
const [BUFFER, BUFFER_BYTES] = [1n, 2n];
/** Bytes of a kernel's arguments at most, of which each has at most 8. */
export const ARGUMENTS_BYTES = 4096;

/** Memory of the arguments of the launch that is being queued; the driver copies them. */
const GIVEN = new Uint8Array(new ArrayBuffer(ARGUMENTS_BYTES));
const GIVEN_POINTERS = new BigUint64Array(GIVEN.buffer);
const GIVEN_WORDS = new Uint32Array(GIVEN.buffer);
const GIVEN_BYTES = new BigUint64Array(new ArrayBuffer(8));
const EXTRA = new BigUint64Array(new ArrayBuffer(40));

export class CudaDriver implements Driver {
  readonly cuda: Cuda;
  readonly device: CudaDevice;
  readonly readsApart = true;
  readonly elapsed?: NonNullable<Driver["elapsed"]>;
  private readonly streams: Streams;

  constructor(cuda: Cuda, streams: Streams) {
    this.cuda = cuda;
    this.streams = streams;
    this.device = streams.info;
    if (streams.profiling) this.elapsed = elapsed;
  }

  get where(): string {
    return this.cuda.where;
  }

  for(where: string): CudaDriver {
    return new CudaDriver(this.cuda.for(this.cuda.device, where), this.streams);
  }

  /** The thread's context may be another library's. */
  enter(): Cuda {
    this.cuda.call("cuCtxSetCurrent", this.streams.context);
    return this.cuda;
  }

  allocate(bytes: number, data: Memory | null): Handle {
    const cuda = this.enter();
    const { pool, queue, transfers, arrived, buffers } = this.streams;
    const stream = data ? transfers : queue;
    const made = cuda.make("cuMemAllocFromPoolAsync", bytes, pool, stream);
    buffers.add(made);
    if (!data) return made;
    try {
      cuda.call("cuMemcpyHtoDAsync_v2", made, data, data.byteLength, transfers);
      cuda.call("cuEventRecord", arrived, transfers);
      cuda.call("cuStreamWaitEvent", queue, arrived, 0);
      return made;
    } catch (error) {
      this.release(made);
      throw error;
    }
  }

  part(buffer: Handle, offset: number): Handle {
    return buffer + BigInt(offset);
  }

  release(memory: Handle): void {
    const { queue, buffers } = this.streams;
    if (buffers.delete(memory)) this.enter().status("cuMemFreeAsync", memory, queue);
  }

  clear({ buffer, offset }: Range, bytes: number): void {
    const cuda = this.enter();
    const { queue } = this.streams;
    const first = buffer + BigInt(offset);
    const words = Math.floor(bytes / 4);
    if (words > 0) cuda.call("cuMemsetD32Async", first, 0, words, queue);
    if (bytes > 4 * words)
      cuda.call("cuMemsetD8Async", first + BigInt(4 * words), 0, bytes - 4 * words, queue);
  }

  write({ buffer, offset }: Range, data: Memory): void {
    const to = buffer + BigInt(offset);
    this.enter().call("cuMemcpyHtoDAsync_v2", to, data, data.byteLength, this.streams.queue);
  }

  copy(from: Range, to: Range, bytes: number): void {
    const [target, source] = [to.buffer + BigInt(to.offset), from.buffer + BigInt(from.offset)];
    this.enter().call("cuMemcpyDtoDAsync_v2", target, source, bytes, this.streams.queue);
  }

  read(from: Range, to: HostBytes): void {
    this.readThrough(this.streams.queue, from, to);
  }

  readApart(from: Range, to: HostBytes): void {
    const { transfers } = this.streams;
    this.readThrough(transfers, from, to);
    this.cuda.call("cuStreamSynchronize", transfers);
  }

  private readThrough(stream: Handle, { buffer, offset }: Range, to: HostBytes): void {
    const from = buffer + BigInt(offset);
    this.enter().call("cuMemcpyDtoHAsync_v2", to, from, to.byteLength, stream);
  }

  pinned(length: number): HostWords {
    const memory = this.enter().make("cuMemHostAlloc", WORD * length, 0);
    const { koffi } = this.cuda;
    return {
      length,
      read: ({ buffer, offset }, index) => {
        const [to, from] = [memory + BigInt(WORD * index), buffer + BigInt(offset)];
        this.enter().call("cuMemcpyDtoHAsync_v2", to, from, WORD, this.streams.queue);
      },
      take: (first, count) =>
        Uint32Array.from(koffi.decode(memory, WORD * first, "uint32", count) as ArrayLike<number>),
      release: () => void this.enter().status("cuMemFreeHost", memory),
    };
  }

  launch(kernel: Handle, given: readonly LaunchArgument[], groups: number, workGroupSize: number): void {
    const cuda = this.enter();
    GIVEN_BYTES[0] = BigInt(packed(given));
    EXTRA.set([BUFFER, address(cuda, GIVEN), BUFFER_BYTES, address(cuda, GIVEN_BYTES), 0n]);
    const size = [groups, 1, 1, workGroupSize, 1, 1];
    cuda.call("cuLaunchKernel", kernel, ...size, 0, this.streams.queue, null, EXTRA);
  }

  mark(): CudaMarker {
    const { queue, profiling } = this.streams;
    const cuda = this.enter();
    const event = cuda.make("cuEventCreate", profiling ? 0 : DISABLE_TIMING);
    const marker = new CudaMarker(cuda, event);
    try {
      cuda.call("cuEventRecord", event, queue);
      return marker;
    } catch (error) {
      marker.release();
      throw error;
    }
  }

  /** The driver begins by itself. */
  flush(): void {}

  finish(): number {
    return this.enter().status("cuStreamSynchronize", this.streams.queue);
  }

  /** The other thread has no current context, which the call does not need (CUDA 13.0). */
  finishElsewhere(): Promise<number> {
    return this.cuda.callAsync("cuStreamSynchronize", this.streams.queue);
  }

  check(call: string, status: number): void {
    this.cuda.check(call, status);
  }

  now(): number {
    return performance.now();
  }

  defer(act: () => void): void {
    process.nextTick(act);
  }

  /** The device needs no core of this machine. */
  letOthersRun(): void {}
}

/** What the device says of all that is queued before an event. */
class CudaMarker implements Marker {
  readonly cuda: Cuda;
  readonly event: Handle;

  constructor(cuda: Cuda, event: Handle) {
    this.cuda = cuda;
    this.event = event;
  }

  isEnded(): boolean {
    return this.cuda.status("cuEventQuery", this.event) !== NOT_READY;
  }

  check(): void {
    // Behind a wait for the whole queue, `cuEventQuery` said once that the event was not ready (driver 580.159.04).
    this.cuda.check("a kernel", this.cuda.status("cuEventSynchronize", this.event));
  }

  release(): void {
    this.cuda.status("cuEventDestroy_v2", this.event);
  }
}

function elapsed(from: Marker, to: Marker): number {
  if (!(from instanceof CudaMarker && to instanceof CudaMarker))
    throw errorOf("bad-usage", {
      reason: "the markers are of another library",
      hint: "pass markers of this driver",
    });
  const milliseconds = new Float32Array(1);
  to.cuda.call("cuEventElapsedTime", milliseconds, from.event, to.event);
  return milliseconds[0] as number;
}

const address = ({ koffi }: Cuda, memory: ArrayBufferView): bigint => BigInt(koffi.address(memory));

/** Writes arguments as the members of a struct. @returns its bytes */
function packed(given: readonly LaunchArgument[]): number {
  let end = 0;
  for (const one of given) {
    const bytes = typeof one === "bigint" ? 8 : one.byteLength;
    const at = Math.ceil(end / bytes) * bytes;
    if (typeof one === "bigint") GIVEN_POINTERS[at / 8] = one;
    // A view takes longer to make.
    else if (one instanceof Uint32Array) GIVEN_WORDS[at / 4] = one[0] as number;
    else GIVEN.set(new Uint8Array(one.buffer, one.byteOffset, bytes), at);
    end = at + bytes;
  }
  return end;
}
