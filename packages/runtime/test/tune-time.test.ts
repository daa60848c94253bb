/** How tuning divides its time among rows, and what it checks, on a runtime that computes at once and whose steps move the clock. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Pipeline } from "@groupwise/ir/document/node.js";
import type { Tiles } from "@groupwise/kernel/capabilities/tiles.js";
import { describe, expect, it } from "vitest";
import { SIMT } from "../../kernel/test/simt.ts";
import type { Runtime } from "../src/api/runtime.ts";
import type { Target } from "../src/api/target.ts";
import { type MeasuredSize, type TuneOptions, type TuneReport, tune } from "../src/tune/tune.ts";

interface Costs {
  readonly compileMs: number;
  readonly submitMs: number;
}

interface Tuned {
  readonly report: TuneReport;
  readonly seconds: number;
}

/** An array whose parts share its elements. */
const arrayOf = (data: Uint32Array) => ({
  data,
  slice: (from: number, to?: number) => arrayOf(data.subarray(from, to)),
  write: (values: Uint32Array) => data.set(values),
  read: async () => data.slice(),
  dispose: () => {},
});
type Bound = Readonly<Record<"x" | "y", ReturnType<typeof arrayOf>>>;

/** Sums of u32; work without an input computes nothing. */
function sums({ x, y }: Bound, n: number): void {
  let sum = 0;
  for (let i = 0; x && i < n; i++) {
    sum = (sum + (x.data[i] as number)) >>> 0;
    y.data[Math.min(i, y.data.length - 1)] = sum;
  }
}

/** @param other what sizes other than the default ones compute instead of sums */
async function tuned(
  seconds: number,
  { compileMs, submitMs }: Costs,
  other: typeof sums = sums,
  more: Partial<TuneOptions> = {},
): Promise<Tuned> {
  let now = 0;
  const recorder = () => {
    const recorded: (() => void)[] = [];
    const self = {
      run: ({ isOther }: { isOther: boolean }, bound: Bound, { n }: { n: number }) => {
        recorded.push(() => (isOther ? other : sums)(bound, n));
        return self;
      },
      submit: async () => {
        for (const step of recorded) step();
        now += submitMs;
      },
    };
    return self;
  };
  const runtime = {
    device: { name: "a device", target: "any", driver: "1" },
    capabilities: SIMT,
    compile: async ({ name }: Pipeline, { tiles }: { tiles?: Tiles } = {}) => {
      if (name.endsWith("u64")) throw errorOf("unsupported", { what: "u64", reason: "none here" });
      now += compileMs;
      return { isOther: tiles !== undefined, scratchBytes: () => 0, dispose: () => {} };
    },
    array: (_: string, given: number | Uint32Array) =>
      arrayOf(typeof given === "number" ? new Uint32Array(given) : given.slice()),
    record: recorder,
  } as unknown as Runtime;
  const names = { name: "any", title: "any", print: () => {} };
  const target = { ...names, capabilities: SIMT, optionalTypes: {} } as unknown as Target;
  const options = { kinds: ["reduce"], types: ["u32"], sizes: [2 ** 3, 2 ** 4, 2 ** 5], seconds } as const;
  const report = await tune(runtime, target, { ...options, ...more, now: () => now });
  return { report, seconds: now / 1000 };
}

const namesOf = (sizes: readonly MeasuredSize[]): string[] => sizes.map(({ kind, n }) => `${kind} ${n}`);
const ALL = ["reduce 8", "reduce 16", "reduce 32"];

describe("the time of tuning", () => {
  it("tries all sizes of all rows if there is enough", async () => {
    const { report } = await tuned(10_000, { compileMs: 1000, submitMs: 10 });
    expect(namesOf(report.sizes)).toEqual(ALL);
    expect(report.leftOut).toEqual([]);
    expect(report.sizes.map(({ left }) => left)).toEqual(ALL.map(() => 0));
  });

  it("includes the default sizes of each row, so that others have what is left", async () => {
    const { report, seconds } = await tuned(40, { compileMs: 1000, submitMs: 10 });
    expect(namesOf(report.sizes)).toEqual(ALL);
    expect(seconds).toBeLessThanOrEqual(40);
    for (const { tried, left } of report.sizes) expect([tried > 0, left > 0]).toEqual([true, true]);
  });

  it("is exceeded by the default sizes of one row at most, and rows without time are named and not in the file", async () => {
    const { report, seconds } = await tuned(20, { compileMs: 4000, submitMs: 10 });
    expect(seconds).toBeLessThan(20 + 2 * 4 + 1);
    expect(report.leftOut.length).toBeGreaterThan(0);
    expect([...namesOf(report.sizes), ...namesOf(report.leftOut)]).toEqual(ALL);
    expect(report.tuning.rows.map(({ kind, measured }) => `${kind} ${measured?.n}`)).toEqual(
      namesOf(report.sizes),
    );
  });

  it("leaves out all rows if none can be checked in time", async () => {
    const { report } = await tuned(5, { compileMs: 4000, submitMs: 10 });
    expect([report.sizes, namesOf(report.leftOut), report.tuning.rows]).toEqual([[], ALL, []]);
  });
});

describe("tuning", () => {
  const costs = { compileMs: 10, submitMs: 1 };
  const sizes = [100];

  it("names types that the device does not support", async () => {
    const kinds = ["reduce", "scan"] as const;
    const { report } = await tuned(1000, costs, sums, { kinds, types: ["u64"], sizes });
    const names = report.skipped.map(({ n, type }) => `${n} ${type}`);
    expect([report.sizes, report.tuning.rows, names]).toEqual([[], [], ["100 u64", "100 u64"]]);
  });

  it("finds results that are wrong", async () => {
    const { report } = await tuned(1000, costs, (bound, n) => sums(bound, n - 1), { sizes });
    const [size] = report.sizes;
    expect(size?.tried).toBe(0);
    expect(size?.excluded[0]?.reason).toMatch(/^y\[0\] is \d+, not /);
    expect(report.tuning.rows.map(({ tiles }) => tiles)).toEqual([undefined]);
  });

  it("finds sizes that write nothing, where others left the right results", async () => {
    const short = (bound: Bound, n: number): void => {
      if (n !== sizes[0]) sums(bound, n);
    };
    const { report } = await tuned(1000, costs, short, { sizes });
    const [size] = report.sizes;
    expect(size?.tried).toBe(0);
    expect(size?.excluded[0]?.reason).toMatch(/^at the end of 100 items /);
    expect(report.tuning.rows.map(({ tiles }) => tiles)).toEqual([undefined]);
  });
});
