/**
 * Arrays longer than a binding, a buffer or 2^32 bytes, on a device. They are made, scanned, compacted, reversed and
 * compared with closed forms there; some elements are also read back.
 */
import type { DeviceArray, DeviceInfo, PipelineSource, Runtime } from "@groupwise/core";
import { pipeline, type U32Value, u32 } from "@groupwise/dsl";
import { type NamedChoice, openNamed } from "./devices/named.ts";
import { type Surroundings, surroundings } from "./measure/surroundings.ts";

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
  /** The limits at which arrays are split into parts. */
  readonly partBytes?: number;
  readonly limits: Readonly<Record<string, number>>;
  readonly rows: readonly LengthRow[];
}

export interface LengthChoice extends NamedChoice {
  readonly n: number;
  readonly say?: (line: string) => void;
}

export const DEFAULT_ITEMS: number = 2 ** 30 + 12345;

const options = { places: false } as const;
/** Boundaries to check if the device does not split arrays. */
const PART_BYTES = 2 ** 31;
/** The period of the values. */
const PERIOD = 1024;
/** Products with it are all different, so that exchanged elements are detected. */
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
/** Three of four items are kept: the index of the kept item with number `at`. */
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

/** Consecutive pipelines over all items; arrays have names, and each pipeline reads what earlier ones wrote. */
class Bench {
  private readonly runtime: Runtime;
  private readonly n: number;
  private readonly arrays = new Map<string, DeviceArray>();

  constructor(runtime: Runtime, n: number) {
    this.runtime = runtime;
    this.n = n;
  }

  /** @throws GroupwiseError what the device reports */
  async run(source: PipelineSource): Promise<Omit<LengthRow, "step" | "isRight">> {
    const program = await this.runtime.compile(source);
    const arrays: Record<string, DeviceArray> = {};
    let bytes = program.scratchBytes(this.n);
    for (const { name, role, type, uniformity, hidden } of program.manifest.bindings) {
      if ((role !== "input" && role !== "output") || hidden) continue;
      const length = role === "output" && uniformity !== "item" ? 1 : this.n;
      const array = this.arrays.get(name) ?? this.runtime.array(type, length);
      this.arrays.set(name, array);
      arrays[name] = array;
      bytes += array.byteLength;
    }
    const once = async (): Promise<number> => {
      const started = performance.now();
      await this.runtime.record().run(program, arrays, { n: this.n }).submit();
      return performance.now() - started;
    };
    const [firstMs, againMs] = [await once(), await once()];
    program.dispose();
    return { bytes, firstMs, againMs };
  }

  async element(name: string, index: number): Promise<number> {
    const array = this.arrays.get(name) as DeviceArray;
    return Number((await array.slice(index, index + 1).read())[0]);
  }

  free(name: string): void {
    this.arrays.get(name)?.dispose();
    this.arrays.delete(name);
  }
}

/** The number of kept items, and the sum of all, on the host. */
const keptOf = (n: number): number => n - Math.ceil(n / 4);
function sumUpTo(count: number): number {
  const [whole, rest] = [BigInt(Math.floor(count / PERIOD)), BigInt(count % PERIOD)];
  return Number(BigInt.asUintN(32, whole * BigInt(PERIOD_SUM) + (rest * (rest - 1n)) / 2n));
}

/** Both sides of every boundary of parts, of 2^30 and 2^31 elements, and the ends. */
function samplesOf(n: number, partBytes: number): number[] {
  const part = partBytes / WORD;
  const borders = Array.from({ length: Math.ceil(n / part) }, (_, i) => i * part).slice(0, 64);
  const all = [...borders, 2 ** 30, 2 ** 31, n].flatMap((at) => [at - 1, at]);
  return [...new Set(all)].filter((at) => at >= 0 && at < n).sort((a, b) => a - b);
}

/** @throws GroupwiseError the errors of compiling and running; `device-missing` */
export async function lengths(choice: LengthChoice): Promise<Lengths> {
  const { n, say = () => {} } = choice;
  const { runtime, limits, partBytes, close } = await openNamed(choice);
  const bench = new Bench(runtime, n);
  const rows: LengthRow[] = [];
  const samples = samplesOf(n, partBytes ?? PART_BYTES);
  const step = async (
    name: string,
    source: PipelineSource,
    isRight: () => Promise<boolean>,
  ): Promise<void> => {
    say(`${name} of ${n}`);
    const row = await bench.run(source);
    rows.push({ step: name, ...row, isRight: await isRight() });
  };
  /** True if every sample equals that of the host. */
  const areRight = async (name: string, want: (i: number) => number): Promise<boolean> => {
    for (const i of samples) if ((await bench.element(name, i)) !== want(i) >>> 0) return false;
    return true;
  };
  const check = (name: string, source: PipelineSource): Promise<void> =>
    step(name, source, async () => {
      const isRight = (await bench.element("right", 0)) === 1;
      bench.free("right");
      return isRight;
    });
  try {
    await step("make", MAKE, () => areRight("x", (i) => i % PERIOD));
    await step("scan and reduce", SCAN, async () => {
      const total = await bench.element("total", 0);
      return total === sumUpTo(n) && (await areRight("sums", (i) => sumUpTo(i + 1)));
    });
    await check("check of the scan", CHECK_SCAN);
    bench.free("sums");
    const kept = (j: number): number => (j < keptOf(n) ? (Math.floor(j / 3) * 4 + (j % 3) + 1) % PERIOD : 0);
    await step("compaction", COMPACT, () => areRight("kept", kept));
    await check("check of the compaction", CHECK_KEPT);
    bench.free("kept");
    const turned = (j: number): number => Math.imul(n - 1 - j, ODD) ^ ((n - 1 - j) % PERIOD);
    await step("scatter in reverse", TURN, () => areRight("turned", turned));
    await check("check of the scatter", CHECK_TURNED);
  } finally {
    runtime.dispose();
    close();
  }
  return {
    surroundings: surroundings(),
    device: runtime.device,
    n,
    arrayBytes: n * WORD,
    ...(partBytes && { partBytes }),
    limits,
    rows,
  };
}
