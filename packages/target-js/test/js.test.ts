import { emit, type HostArray } from "@groupwise/core";
import { SCALARS } from "@groupwise/core/target";
import { f16, f32, f64, i64, param, pipeline, u32 } from "@groupwise/dsl";
import { namedCase } from "@groupwise/testkit";
import { describe, expect, it } from "vitest";
import { js } from "../src/index.ts";

const lineIndex = namedCase("line-index");

it("prints a module that people can read", () => {
  const { files } = emit(lineIndex, js);
  if (process.env.SHOW) for (const { path, text } of files) console.log(`==== ${path}\n${text}`);
  expect(files.map(({ path }) => path)).toEqual([
    "line-index.mjs",
    "line-index.d.mts",
    "line-index.mjs.json",
  ]);
});

describe("a range of two dimensions", () => {
  const { ir } = pipeline(
    "rows",
    { x: f32 },
    ({ x }, { globalId }) => ({
      sums: x.scanInclusive("add", { scope: "work-group" }),
      columns: globalId(0),
      rows: globalId(1),
    }),
    { workGroupSize: [2, 2] },
  );
  interface Module {
    default(values: object, options?: object): Record<string, ArrayLike<number>>;
  }
  const load = async (source: Parameters<typeof emit>[0]): Promise<Module> =>
    import(`data:text/javascript,${encodeURIComponent(emit(source, js).files[0]?.text as string)}`);
  const x = Float32Array.of(1, 2, 3, 4, 5, 6);

  it("is an option of the emitted module", async () => {
    const module = await load(ir);
    expect(module.default({ x }, { globalSize: [3, 2], globalOffset: [0, 7] })).toEqual({
      sums: Float32Array.of(1, 3, 3, 7, 12, 9),
      columns: Uint32Array.of(0, 1, 2, 0, 1, 2),
      rows: Uint32Array.of(7, 7, 7, 8, 8, 8),
    });
    expect(module.default({ x: new Float32Array(0) }, { globalSize: [0, 2] }).sums).toHaveLength(0);
  });

  it.each<[string, object | undefined]>([
    ["none", undefined],
    ["n", { n: 6 }],
    ["one side", { globalSize: [6] }],
    ["three sides", { globalSize: [3, 2, 1] }],
    ["negative sides", { globalSize: [-3, -2] }],
    ["another product", { globalSize: [3, 3] }],
    ["more than there are ids", { globalSize: [3, 2], globalOffset: [2 ** 32 - 2, 0] }],
    ["a negative offset", { globalSize: [3, 2], globalOffset: [0, -1] }],
  ])("is refused there: %s", async (_, options) => {
    const module = await load(ir);
    expect(() => module.default({ x }, options)).toThrow(RangeError);
  });

  it("has an offset in one dimension too, if a query reads it", async () => {
    const line = pipeline("line", { x: f32 }, (_, { globalId, index }) => ({
      id: globalId(),
      index: index(),
    }));
    const module = await load(line);
    const outputs = { id: Uint32Array.of(5, 6), index: Uint32Array.of(0, 1) };
    expect(module.default({ x: x.slice(0, 2) }, { globalOffset: [5] })).toEqual(outputs);
    expect(emit(lineIndex, js).files[0]?.text).not.toContain("offset");
  });
});

it("an exclusive scan of an exclusive scan takes its operand before the item is added to either", async () => {
  const twice = pipeline("twice", { x: u32 }, ({ x }) => {
    const before = x.scanExclusive("add");
    return { before, again: before.scanExclusive("add") };
  });
  const text = emit(twice, js).files[0]?.text as string;
  const module = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  expect(module.default({ x: Uint32Array.of(1, 2, 3, 4) })).toEqual({
    before: Uint32Array.of(0, 1, 3, 6),
    again: Uint32Array.of(0, 0, 1, 4),
  });
});

describe("a self-contained module", () => {
  const long = pipeline("long", { a: i64, h: f16, by: param(i64), s: param(f16), d: param(f64) }, (v) => ({
    sums: v.a.add(v.by).scanInclusive("add"),
    scaled: v.h.mul(v.s),
    halved: v.d.toF16().perItem(),
    same: v.s.perItem(),
  }));
  const artifact = emit(long, js);
  const textOf = (path: string): string => artifact.files.find((file) => file.path === path)?.text ?? "";
  type Long = (values: Record<string, unknown>) => Record<string, HostArray>;
  const load = async (): Promise<Long> =>
    (await import(`data:text/javascript,${encodeURIComponent(textOf("long.mjs"))}`)).default;

  it("accepts and returns the host's own arrays and numbers", async () => {
    const run = await load();
    const a = BigInt64Array.of(2n ** 63n - 1n, -5n, 7n);
    const h = Uint16Array.of(0x3c00, 0x0001, 0xfbff);
    const got = run({ a, h, by: -2n, s: 3, d: 0.1 });
    expect(got.sums).toEqual(BigInt64Array.of(2n ** 63n - 3n, 2n ** 63n - 10n, 2n ** 63n - 5n));
    expect(got.scaled).toEqual(Uint16Array.of(0x4200, 0x0003, 0xfc00));
    expect(got.halved?.[0]).toBe(SCALARS.f16.toHost(0.1));
    expect(() => run({ a, h, by: 2, s: 3, d: 0 })).toThrow(TypeError);
    expect(() => run({ a: new Float64Array(3), h, by: 2n, s: 3, d: 0 })).toThrow(/BigInt64Array/);
    const none = new RangeError("n, by default the length of a, is not a number of items");
    for (const given of [[], [{}], [{ a, h }, { n: -1 }]])
      expect(() => Reflect.apply(run, null, given)).toThrow(none);
  });

  it("rounds a parameter to its nearest half as the reference does", async () => {
    const run = await load();
    const ends = [0, -0, 65519.999, 65520, -65520, 2 ** -25, 2 ** -25 * 1.0001, 2 ** -14];
    const odd = [...ends, 1 + 2 ** -11, 1 / 3, -2049];
    for (const s of [...odd, 3 * 2 ** -25, 2 ** -14 - 2 ** -26, Number.NaN, Number.POSITIVE_INFINITY]) {
      const got = run({ a: BigInt64Array.of(0n), h: Uint16Array.of(0), by: 0n, s, d: 0 });
      expect([s, got.same?.[0]]).toEqual([s, SCALARS.f16.toHost(s)]);
    }
  });

  it("has matching types, and no BigInt in its loops", () => {
    expect(textOf("long.d.mts")).toContain("readonly a: BigInt64Array;");
    expect(textOf("long.d.mts")).toContain("readonly by: bigint;");
    const [, kernel = ""] = /export function kernel([\s\S]*?)\n}\n/.exec(textOf("long.mjs")) ?? [];
    expect(kernel).toContain("Math.fround");
    expect(kernel).not.toMatch(/BigInt|\dn\b/);
  });
});
