/** Device arrays: whole buffers, several for long arrays, and ranges of them. */
import type {
  ArrayType,
  Capabilities,
  DeviceArray,
  HostArray,
  HostArrays,
  ResultArrays,
} from "@groupwise/core";
import {
  errorOf,
  type Layout,
  layoutOf,
  newArray,
  type OwnArray,
  readOf,
  sliceOf,
  writable,
  written,
} from "@groupwise/core/target";
import type { Gpu } from "../device/device.ts";
import { writeEdge } from "../device/edges.ts";
import { type ByteRange, buffersFor } from "../device/parts.ts";
import { readNow, write, writesOf } from "../device/transfer.ts";
import { USAGE } from "../device/usage.ts";
import { keptOn } from "./bindings.ts";

const WORD = 4;
const words = (bytes: number): number => Math.ceil(bytes / WORD) * WORD;

/** The memory of an array and of its slices. */
class Memory {
  readonly gpu: Gpu;
  readonly layout: Layout;
  readonly length: number;
  readonly ranges: readonly ByteRange[];
  /** Resolves when the device has accepted all work on the array so far. */
  trouble: Promise<void>;
  private readonly made: GPUBuffer[] = [];
  private isGone = false;
  private notify: (() => void) | undefined;

  constructor(gpu: Gpu, layout: Layout, length: number) {
    this.gpu = gpu;
    this.layout = layout;
    this.length = length;
    const usage = USAGE.STORAGE | USAGE.COPY_SRC | USAGE.COPY_DST;
    const { result, settled } = gpu.watched("", () =>
      buffersFor(words(Math.max(1, length) * layout.bytesPerElement), gpu.limits).map((size): ByteRange => {
        const buffer = gpu.device.createBuffer({ label: `array of ${layout.type}`, size, usage });
        this.made.push(buffer);
        return { buffer, offset: 0, size };
      }),
    );
    this.ranges = result;
    this.trouble = settled;
  }

  /** @throws GroupwiseError `disposed`, `device-lost` */
  check(): void {
    if (this.isGone) throw errorOf("disposed", { what: `the array of ${this.length} ${this.layout.type}` });
    this.gpu.assertThere();
  }

  /** Does work on it; errors are reported by the next read of it, or the next submit of a step with it. */
  watched(work: () => void): void {
    const { settled } = this.gpu.watched("", work);
    const both = Promise.all([this.trouble, settled]).then(() => {});
    both.catch(() => {});
    this.trouble = both;
  }

  /** The ranges of buffers for some of its bytes, in whole words. */
  part(from: number, bytes: number): ByteRange[] {
    const to = from + words(bytes);
    let before = 0;
    return this.ranges.flatMap(({ buffer, size }) => {
      const [start, end] = [Math.max(from, before), Math.min(to, before + size)];
      const range = { buffer, offset: start - before, size: end - start };
      before += size;
      return end > start ? [range] : [];
    });
  }

  /** Calls back when it is disposed. */
  whenGone(notify: () => void): void {
    this.notify = notify;
  }

  dispose(): void {
    this.isGone = true;
    this.notify?.();
    for (const buffer of this.made) {
      keptOn(this.gpu).forget(buffer);
      buffer.destroy();
    }
  }
}

/** A {@link DeviceArray} in buffers of WebGPU. */
export class WgslArray<S extends ArrayType = ArrayType> implements DeviceArray<S>, OwnArray {
  readonly #isOne = true;
  readonly type: S;
  readonly length: number;
  readonly root: Memory;
  readonly byteOffset: number;
  private readonly isSlice: boolean;

  constructor(
    type: S,
    root: Memory,
    first: number = 0,
    length: number = root.length,
    isSlice: boolean = false,
  ) {
    this.type = type;
    this.root = root;
    this.byteOffset = first * root.layout.bytesPerElement;
    this.length = length;
    this.isSlice = isSlice;
    Object.freeze(this);
  }

  /** Whether this class made it; false for proxies and imitations. */
  static is(value: object): value is WgslArray {
    return #isOne in value && value.#isOne;
  }

  get byteLength(): number {
    return this.length * this.root.layout.bytesPerElement;
  }

  /** The ranges of its elements, in whole words. */
  get ranges(): ByteRange[] {
    return this.root.part(this.byteOffset, this.byteLength);
  }

  check(): void {
    this.root.check();
  }

  slice(from: number, to?: number): WgslArray<S> {
    this.check();
    const [start, end] = sliceOf(this.length, from, to);
    const first = this.byteOffset / this.root.layout.bytesPerElement + start;
    return new WgslArray(this.type, this.root, first, end - start, true);
  }

  write(values: HostArrays[S]): void {
    this.check();
    const { gpu, layout } = this.root;
    const data = writable(this.type, this.length, values);
    this.root.watched(() => {
      const [from, to] = this.writeEdges(data);
      const ranges = this.root.part(
        this.byteOffset + from * layout.bytesPerElement,
        (to - from) * layout.bytesPerElement,
      );
      const whole = data.subarray(from, to) as HostArray;
      for (const one of writesOf(gpu, layout, ranges, whole)) write(gpu, one);
    });
    written(this, data.length);
  }

  /** Writes elements that share a word with others: WebGPU writes whole words. Returns the range of the remaining ones. */
  private writeEdges(data: HostArray): readonly [from: number, to: number] {
    const { gpu, layout, length } = this.root;
    const { bytesPerElement } = layout;
    const edge = (at: number, elements: HostArray): void => {
      const { buffer, byteOffset, byteLength } = elements;
      const first = at % WORD;
      const bytes = new Uint8Array(buffer, byteOffset, byteLength);
      if (byteLength > 0) writeEdge(gpu, this.root.part(at - first, WORD)[0] as ByteRange, first, bytes);
    };
    const start = this.byteOffset;
    const before = ((WORD - (start % WORD)) % WORD) / bytesPerElement;
    const from = Math.min(data.length, Math.floor(before));
    edge(start, data.subarray(0, from) as HostArray);
    const end = start + data.length * bytesPerElement;
    // After the last element nothing needs to be preserved.
    if (end % WORD === 0 || end === length * bytesPerElement) return [from, data.length];
    const to = Math.max(from, data.length - (end % WORD) / bytesPerElement);
    edge(start + to * bytesPerElement, data.subarray(to) as HostArray);
    return [from, to];
  }

  async read(): Promise<ResultArrays[S]> {
    this.check();
    return readOf(this, this.readNow());
  }

  private async readNow(): Promise<ResultArrays[S]> {
    const { gpu, layout, trouble } = this.root;
    if (this.length === 0) return readNow(gpu, layout, [], 0) as Promise<ResultArrays[S]>;
    // From a whole word on: halves may begin within one.
    const extra = (this.byteOffset % WORD) / layout.bytesPerElement;
    const start = this.byteOffset - (this.byteOffset % WORD);
    const bytes = this.byteOffset + this.byteLength - start;
    const found = readNow(gpu, layout, this.root.part(start, bytes), this.length + extra);
    const [array] = await Promise.all([found, trouble]);
    return (extra === 0 ? array : array.slice(extra)) as ResultArrays[S];
  }

  dispose(): void {
    if (!this.isSlice) this.root.dispose();
  }
}

/** The arrays of a runtime. */
export class Arrays {
  private readonly gpu: Gpu;
  private readonly memories = new Set<Memory>();

  constructor(gpu: Gpu) {
    this.gpu = gpu;
  }

  /** @param capabilities those of the device, which determine the form of elements */
  make<T extends ArrayType>(
    capabilities: Capabilities,
    type: T,
    lengthOrValues: number | HostArrays[T],
  ): DeviceArray<T> {
    const { length, values } = newArray(type, lengthOrValues);
    const memory = new Memory(this.gpu, layoutOf(type, capabilities), length);
    this.memories.add(memory);
    memory.whenGone(() => this.memories.delete(memory));
    const array = new WgslArray(type, memory);
    if (values) array.write(values as HostArrays[T]);
    return array;
  }

  dispose(): void {
    for (const memory of this.memories) memory.dispose();
  }
}
