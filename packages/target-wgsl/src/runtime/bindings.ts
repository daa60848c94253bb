/**
 * Parameters and bind groups that recordings share: a recorder often binds the same ranges with the same parameters again, and
 * making both takes longer than the rest of a recording.
 */
import type { Gpu } from "../device/device.ts";
import { paramsBuffer, paramsWords } from "../device/params.ts";
import type { ByteRange } from "../device/parts.ts";
import type { BufferPool } from "../device/pool.ts";
import { USAGE } from "../device/usage.ts";
import type { BufferCount } from "./counts.ts";

let made = 0;

/** The parameters of a recording, its other small buffers, and its bind groups, each made when it is first used. */
export class Bindings {
  /** Of all of this process. */
  readonly id: number = made++;
  readonly params: GPUBuffer;
  private readonly buffers = new Map<string, GPUBuffer>();
  private readonly groups = new Map<string, GPUBindGroup>();
  /** Recordings that are not disposed. */
  private users = 0;
  private isDropped = false;

  constructor(params: GPUBuffer) {
    this.params = params;
  }

  group(key: string, make: () => GPUBindGroup): GPUBindGroup {
    const known = this.groups.get(key) ?? make();
    this.groups.set(key, known);
    return known;
  }

  /** A buffer that is freed with the parameters. */
  buffer(key: string, make: () => GPUBuffer): GPUBuffer {
    const known = this.buffers.get(key) ?? make();
    this.buffers.set(key, known);
    return known;
  }

  use(): this {
    this.users += 1;
    return this;
  }

  release(): void {
    this.users -= 1;
    this.freeIfUnused();
  }

  /** No later recording uses it. */
  drop(): void {
    this.isDropped = true;
    this.freeIfUnused();
  }

  private freeIfUnused(): void {
    if (!this.isDropped || this.users > 0) return;
    for (const buffer of [this.params, ...this.buffers.values()]) buffer.destroy();
  }
}

/** What identifies a recording's bindings. */
export interface BindingsKey {
  readonly program: object;
  readonly params: Parameters<typeof paramsWords>[0];
  /** Of all arrays, in the order of the manifest. */
  readonly ranges: readonly ByteRange[];
  /** Where the number of items is, if it is in a buffer. */
  readonly count?: BufferCount | undefined;
}

interface Entry {
  /** Weak: an array that is collected without `dispose` is freed as if nothing had bound it. */
  readonly ref: WeakRef<Bindings>;
  readonly buffers: ReadonlySet<number>;
}

/** Of the most recent recordings on a device. */
export class KeptBindings {
  private readonly device: GPUDevice;
  private readonly most: number;
  /** The least recent one first. */
  private readonly entries = new Map<string, Entry>();
  private readonly ids = new WeakMap<object, number>();
  private count = 0;

  constructor(device: GPUDevice, most: number) {
    this.device = device;
    this.most = most;
  }

  /** Those of an earlier recording, or new ones, in use until they are released. */
  take({ program, params, ranges, count }: BindingsKey): Bindings {
    const places = ranges.map(({ buffer, offset, size }) => [this.idOf(buffer), offset, size] as const);
    if (count) places.push([this.idOf(count.buffer), count.offset ?? 0, count.max]);
    const key = [this.idOf(program), paramsWords(params).join(), count ? "counted" : "", ...places].join(" ");
    const known = this.entries.get(key);
    const bindings = known?.ref.deref() ?? new Bindings(paramsBuffer(this.device, params, usageOf(count)));
    this.entries.delete(key);
    this.entries.set(key, { ref: new WeakRef(bindings), buffers: new Set(places.map(([id]) => id)) });
    const [oldest] = this.entries.keys();
    if (this.entries.size > this.most) this.drop(oldest as string);
    return bindings.use();
  }

  /** Drops what is bound to a buffer that is destroyed. */
  forget(buffer: GPUBuffer): void {
    const id = this.ids.get(buffer);
    if (id === undefined) return;
    for (const [key, { buffers }] of this.entries) if (buffers.has(id)) this.drop(key);
  }

  clear(): void {
    for (const key of [...this.entries.keys()]) this.drop(key);
  }

  private drop(key: string): void {
    this.entries.get(key)?.ref.deref()?.drop();
    this.entries.delete(key);
  }

  private idOf(object: object): number {
    const id = this.ids.get(object) ?? this.count++;
    this.ids.set(object, id);
    return id;
  }
}

const MOST = 64;
const kept = new WeakMap<Gpu, KeptBindings>();

/** Those of a device. */
export function keptOn(gpu: Gpu): KeptBindings {
  const known = kept.get(gpu) ?? new KeptBindings(gpu.device, MOST);
  kept.set(gpu, known);
  return known;
}

/** More than a uniform's: a kernel writes the number of items. */
const usageOf = (count: BufferCount | undefined): number => (count ? USAGE.STORAGE : 0);

/** Those of one recording, which frees them when it releases them. */
export function ownBindings(
  { device }: Gpu,
  { params, count }: Pick<BindingsKey, "params" | "count">,
): Bindings {
  const own = new Bindings(paramsBuffer(device, params, usageOf(count))).use();
  own.drop();
  return own;
}

/**
 * Returns buffers to the pool that they are from.
 * @param isDone whether the device did all work on them; otherwise they are freed, as those that the pool does not keep
 */
export function giveBack(gpu: Gpu, pool: BufferPool, buffers: readonly GPUBuffer[], isDone: boolean): void {
  for (const buffer of buffers) {
    if (isDone && pool.give(buffer)) continue;
    keptOn(gpu).forget(buffer);
    buffer.destroy();
  }
}
