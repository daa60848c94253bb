/**
 * Arrays longer than a binding, a buffer or 2^32 bytes, on a WebGPU device: made there, scanned, compacted and
 * turned round there, and checked there against closed forms; some elements are read back besides.
 */
import { type DeviceInfo, errorOf, type PipelineSource } from "@groupwise/core";
import { pipeline, type U32Value, u32 } from "@groupwise/dsl";
import { type WebGpuRuntime, type WgslExecutable, webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { openDawn } from "@groupwise/testkit/devices";
import { type Surroundings, surroundings } from "./surroundings.ts";

export interface LengthRow {
  readonly step: string;
  /** Bytes of device memory that the step binds, its scratch included. */
  readonly bytes: number;
  /** Of the first run, which compiles, and of the second. */
  readonly firstMs: number;
  readonly againMs: number;
  readonly isRight: boolean;
}

export interface Lengths {
  readonly surroundings: Surroundings;
  readonly device: DeviceInfo;
  readonly n: number;
  readonly arrayBytes: number;
  readonly partBytes: number;
  readonly limits: Readonly<Record<string, number>>;
  readonly rows: readonly LengthRow[];
}

export interface LengthChoice {
  readonly n: number;
  /** What Dawn's adapter is called. */
  readonly adapter: string;
  /** Bytes of a binding and of a buffer, to try small arrays as if they were long. */
  readonly bindingBytes?: number;
  readonly bufferBytes?: number;
  readonly say?: (line: string) => void;
}

export const DEFAULT_ITEMS: number = 2 ** 30 + 12345;

const options = { places: false } as const;
/** Values go round. */
const PERIOD = 1024;
/** Products with it are all different, so that no element can stand for another. */
const ODD = 0x9e3779b1;
const PERIOD_SUM = (PERIOD * (PERIOD - 1)) / 2;

/** The sum of the first `count` values, modulo 2^32. */
const sumOf = (count: U32Value): U32Value => {
  const rest = count.and(PERIOD - 1);
  return count
    .div(PERIOD)
    .mul(PERIOD_SUM)
    .add(rest.mul(rest.sub(1)).div(2));
};
const isKept = (x: U32Value): ReturnType<U32Value["ne"]> => x.and(3).ne(0);
/** Three of four are kept: where the one stood that is kept as number `at`. */
const placeOfKept = (at: U32Value): U32Value => at.div(3).mul(4).add(at.rem(3)).add(1);

const MAKE = pipeline("make", {}, (_, { index }) => ({ x: index().and(PERIOD - 1) }), options);
const SCAN = pipeline(
  "scan",
  { x: u32 },
  ({ x }) => ({ sums: x.scanInclusive("add"), total: x.reduce("add") }),
  options,
);
const COMPACT = pipeline(
  "compact",
  { x: u32 },
  ({ x }) => {
    const where = isKept(x);
    const to = where.toU32().scanExclusive("add");
    return { kept: x.scatter({ to, where, length: where.toU32().reduce("add") }) };
  },
  options,
);
const TURN = pipeline(
  "turn",
  { x: u32 },
  ({ x }, { index, globalSize }) => ({
    turned: x.xor(index().mul(ODD)).scatter({ to: globalSize().sub(1).sub(index()) }),
  }),
  options,
);
const CHECK_SCAN = pipeline(
  "check-scan",
  { sums: u32 },
  ({ sums }, { index }) => ({ right: sums.eq(sumOf(index().add(1))).all() }),
  options,
);
const CHECK_KEPT = pipeline(
  "check-kept",
  { kept: u32 },
  ({ kept }, { index, globalSize }) => {
    const n = globalSize();
    const count = n.sub(n.add(3).div(4));
    const want = placeOfKept(index()).and(PERIOD - 1);
    return { right: kept.eq(index().lt(count).select(want, u32(0))).all() };
  },
  options,
);
const CHECK_TURNED = pipeline(
  "check-turned",
  { turned: u32 },
  ({ turned }, { index, globalSize }) => {
    const from = globalSize().sub(1).sub(index());
    return { right: turned.eq(from.and(PERIOD - 1).xor(from.mul(ODD))).all() };
  },
  options,
);

const WORD = 4;
/** As the runtime's own buffers: some drivers never end a fill of 2^32 bytes. */
const MOST_IN_BUFFER = 2 ** 32 - 4;
const [MAP_READ, COPY_SRC, COPY_DST, STORAGE] = [1, 4, 8, 0x80] as const;

/** Arrays of u32 by name, each in as many buffers as it needs. */
class Arrays {
  private readonly device: GPUDevice;
  private readonly bufferBytes: number;
  private readonly made = new Map<string, GPUBuffer[]>();

  constructor(device: GPUDevice, bufferBytes: number) {
    this.device = device;
    this.bufferBytes = bufferBytes;
  }

  get(name: string, elements: number): GPUBuffer[] {
    const known = this.made.get(name);
    if (known) return known;
    const bytes = elements * WORD;
    const usage = STORAGE | COPY_SRC | COPY_DST;
    const buffers = Array.from({ length: Math.ceil(bytes / this.bufferBytes) }, (_, i) =>
      this.device.createBuffer({
        label: name,
        size: Math.min(this.bufferBytes, bytes - i * this.bufferBytes),
        usage,
      }),
    );
    this.made.set(name, buffers);
    return buffers;
  }

  free(name: string): void {
    for (const buffer of this.made.get(name) ?? []) buffer.destroy();
    this.made.delete(name);
  }

  async element(name: string, index: number): Promise<number> {
    const at = index * WORD;
    const buffer = this.made.get(name)?.[Math.floor(at / this.bufferBytes)] as GPUBuffer;
    const read = this.device.createBuffer({ size: WORD, usage: MAP_READ | COPY_DST });
    const encoder = this.device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, at % this.bufferBytes, read, 0, WORD);
    this.device.queue.submit([encoder.finish()]);
    await read.mapAsync(MAP_READ);
    const [value = 0] = new Uint32Array(read.getMappedRange());
    read.destroy();
    return value;
  }
}

/** One pipeline over all items. */
class Bench {
  readonly arrays: Arrays;
  private readonly device: GPUDevice;
  private readonly runtime: WebGpuRuntime;
  private readonly n: number;

  constructor(device: GPUDevice, runtime: WebGpuRuntime, n: number, bufferBytes: number) {
    this.device = device;
    this.runtime = runtime;
    this.n = n;
    this.arrays = new Arrays(device, bufferBytes);
  }

  /** @throws Error for what the device reports */
  async run(source: PipelineSource): Promise<Omit<LengthRow, "step" | "isRight">> {
    const program = await this.runtime.compile(source);
    const buffers: Record<string, GPUBuffer[]> = {};
    let bytes = program.scratchBytes(this.n);
    for (const { name, role, rate, hidden } of program.manifest.bindings) {
      if ((role !== "input" && role !== "output") || hidden) continue;
      buffers[name] = this.arrays.get(name, role === "output" && rate !== "item" ? 1 : this.n);
      bytes += buffers[name].reduce((sum, { size }) => sum + size, 0);
    }
    const firstMs = await this.once(program, buffers);
    const againMs = await this.once(program, buffers);
    program.dispose();
    return { bytes, firstMs, againMs };
  }

  private async once(program: WgslExecutable, buffers: Record<string, GPUBuffer[]>): Promise<number> {
    const started = performance.now();
    for (const scope of ["validation", "out-of-memory", "internal"] as const)
      this.device.pushErrorScope(scope);
    const encoder = this.device.createCommandEncoder();
    const recording = program.record(encoder, { n: this.n, buffers });
    this.device.queue.submit([encoder.finish()]);
    const errors = await Promise.all([0, 1, 2].map(() => this.device.popErrorScope()));
    await this.device.queue.onSubmittedWorkDone();
    recording.dispose();
    const error = errors.find((found) => found !== null);
    if (error) throw errorOf("device-error", { device: this.runtime.device.name, reason: error.message });
    return performance.now() - started;
  }
}

/** The number of kept items, and the sum of all, on the host. */
const keptOf = (n: number): number => n - Math.ceil(n / 4);
function sumUpTo(count: number): number {
  const [whole, rest] = [BigInt(Math.floor(count / PERIOD)), BigInt(count % PERIOD)];
  return Number(BigInt.asUintN(32, whole * BigInt(PERIOD_SUM) + (rest * (rest - 1n)) / 2n));
}

/** Both sides of every border of parts, of 2^30 and 2^31 elements, and the ends. */
function samplesOf(n: number, partBytes: number): number[] {
  const part = partBytes / WORD;
  const borders = Array.from({ length: Math.ceil(n / part) }, (_, i) => i * part).slice(0, 64);
  const all = [...borders, 2 ** 30, 2 ** 31, n].flatMap((at) => [at - 1, at]);
  return [...new Set(all)].filter((at) => at >= 0 && at < n).sort((a, b) => a - b);
}

/** @throws GroupwiseError what compiling and running throw; `device-missing` */
export async function lengths(choice: LengthChoice): Promise<Lengths> {
  const { n, adapter, bindingBytes, bufferBytes, say = () => {} } = choice;
  const device = await openDawn({ adapter });
  const limits = {
    ...(bindingBytes && { maxStorageBufferBindingSize: bindingBytes }),
    ...(bufferBytes && { maxBufferSize: bufferBytes }),
  };
  const runtime = webgpuRuntime(device, { limits });
  const { maxBufferSize, maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage } = device.limits;
  const told = {
    maxBufferSize,
    maxStorageBufferBindingSize,
    maxStorageBuffersPerShaderStage,
    ...limits,
  };
  const { partBytes } = await runtime.compile(MAKE);
  const bench = new Bench(
    device,
    runtime,
    n,
    Math.floor(Math.min(told.maxBufferSize, MOST_IN_BUFFER) / partBytes) * partBytes,
  );
  const { arrays } = bench;
  const rows: LengthRow[] = [];
  const samples = samplesOf(n, partBytes);
  const step = async (
    name: string,
    source: PipelineSource,
    isRight: () => Promise<boolean>,
  ): Promise<void> => {
    say(`${name} of ${n}`);
    const row = await bench.run(source);
    rows.push({ step: name, ...row, isRight: await isRight() });
  };
  /** Every sample is as on the host. */
  const areRight = async (name: string, want: (i: number) => number): Promise<boolean> => {
    for (const i of samples) if ((await arrays.element(name, i)) !== want(i) >>> 0) return false;
    return true;
  };
  const check = (name: string, source: PipelineSource): Promise<void> =>
    step(name, source, async () => {
      const isRight = (await arrays.element("right", 0)) === 1;
      arrays.free("right");
      return isRight;
    });
  try {
    await step("make", MAKE, () => areRight("x", (i) => i % PERIOD));
    await step("scan and reduce", SCAN, async () => {
      const total = await arrays.element("total", 0);
      return total === sumUpTo(n) && (await areRight("sums", (i) => sumUpTo(i + 1)));
    });
    await check("check of the scan", CHECK_SCAN);
    arrays.free("sums");
    const kept = (j: number): number => (j < keptOf(n) ? (Math.floor(j / 3) * 4 + (j % 3) + 1) % PERIOD : 0);
    await step("compaction", COMPACT, () => areRight("kept", kept));
    await check("check of the compaction", CHECK_KEPT);
    arrays.free("kept");
    const turned = (j: number): number => Math.imul(n - 1 - j, ODD) ^ ((n - 1 - j) % PERIOD);
    await step("scatter in reverse", TURN, () => areRight("turned", turned));
    await check("check of the scatter", CHECK_TURNED);
  } finally {
    runtime.dispose();
    device.destroy();
  }
  return {
    surroundings: surroundings(),
    device: runtime.device,
    n,
    arrayBytes: n * WORD,
    partBytes,
    limits: told,
    rows,
  };
}
