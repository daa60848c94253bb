/**
 * Parameters and bind groups that recordings share: a recorder often binds the same ranges with the same parameters again, and
 * making both takes longer than the rest of a recording.
 */
import type { Gpu } from "../device/device.ts";
import { paramsBuffer, paramsWords } from "../device/params.ts";
import type { ByteRange } from "../device/parts.ts";

/** The parameters of a recording, and its bind groups, each made when it is first used. */
export class Bindings {
  readonly params: GPUBuffer;
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
    if (this.isDropped && this.users === 0) this.params.destroy();
  }
}

/** What identifies a recording's bindings. */
export interface BindingsKey {
  readonly program: object;
  readonly params: Parameters<typeof paramsWords>[0];
  /** Of all arrays, in the order of the manifest. */
  readonly ranges: readonly ByteRange[];
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
  take({ program, params, ranges }: BindingsKey): Bindings {
    const places = ranges.map(({ buffer, offset, size }) => [this.idOf(buffer), offset, size] as const);
    const key = [this.idOf(program), paramsWords(params).join(), ...places].join(" ");
    const known = this.entries.get(key);
    const bindings = known?.ref.deref() ?? new Bindings(paramsBuffer(this.device, params));
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

/** Those of one recording, which frees the parameters when it releases them. */
export function ownBindings(gpu: Gpu, params: BindingsKey["params"], usage: number): Bindings {
  const own = new Bindings(paramsBuffer(gpu.device, params, usage)).use();
  own.drop();
  return own;
}
