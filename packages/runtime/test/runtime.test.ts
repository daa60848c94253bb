import type { Pipeline } from "@groupwise/ir/document/node.js";
import type { Scalar, ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { describe, expect, it, vi } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import { documentOf, errorFrom, output } from "../../ir/test/support.ts";
import type { DeviceArray } from "../src/api/device-array.ts";
import type { StepOptions } from "../src/api/runtime.ts";
import { contentKey } from "../src/checks/content-key.ts";
import { withItems } from "../src/checks/host.ts";
import type { Binding, Manifest } from "../src/plan/manifest.ts";
import { type Lease, MOST_UNUSED, SharedCache } from "../src/run/cache.ts";
import { layoutOf } from "../src/run/layout.ts";
import { overlap } from "../src/run/overlap.ts";
import type { OwnArray } from "../src/run/own-array.ts";
import { scratchPlan } from "../src/run/scratch.ts";
import { prepareStep } from "../src/run/step.ts";

describe("the content of a document", () => {
  const base = documentOf([{ kind: "input", name: "x", type: "f32", at: "a.ts:1" }, output(0)]);
  const reversed = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(reversed)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([k, v]) => [k, reversed(v)]),
          )
        : value;

  it("ignores locations and the order of properties", () => {
    expect(contentKey(reversed(base) as Pipeline)).toBe(contentKey(base));
    const moved = { ...base, nodes: base.nodes.map((node) => ({ ...node, at: "b.ts:7" })) };
    expect(contentKey(moved)).toBe(contentKey(base));
  });

  it("includes everything else", () => {
    const others = [
      contentKey({ ...base, name: "other" }),
      contentKey({ ...base, workGroupSize: [8] }),
      contentKey({ ...base, nodes: [...base.nodes].reverse() }),
      contentKey(base, { inPlace: { y: "x" } }),
      contentKey(base, { inPlace: { x: "y" } }),
      contentKey(base, { inPlace: { at: "x" } }),
      contentKey(base, { inPlace: { at: "y" } }),
      contentKey(base),
    ];
    expect(new Set(others).size).toBe(others.length);
  });

  it("follows changes within a document that is frozen in part", () => {
    const workGroupSize = [4];
    const document = Object.freeze({ ...base, workGroupSize });
    const before = contentKey(document);
    workGroupSize[0] = 8;
    expect(contentKey(document)).not.toBe(before);
  });

  test("distinguishes documents by any value", () =>
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const key = (value: unknown): string => contentKey({ ...base, at: 1, more: value } as never);
      expect(key(a) === key(b)).toBe(JSON.stringify(strip(a)) === JSON.stringify(strip(b)));
    }));
  const strip = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(strip)
      : typeof value === "object" && value !== null
        ? {
            object: Object.entries(value)
              .filter(([k]) => k !== "at")
              .sort(([k], [l]) => (k < l ? -1 : 1))
              .map(([k, v]) => [k, strip(v)]),
          }
        : value;
});

describe("a shared cache", () => {
  it("creates a value once, keeps it after its last user, and frees it when it is closed", async () => {
    const free = vi.fn();
    const make = vi.fn(async () => ({}));
    const cache = new SharedCache<object>({ free });
    const [a, b] = await Promise.all([cache.acquire("k", make), cache.acquire("k", make)]);
    const c = await cache.acquire("k", make);
    expect(make).toHaveBeenCalledTimes(1);
    expect(a.value).toBe(c.value);
    a.release();
    a.release();
    b.release();
    await Promise.resolve();
    expect(free).not.toHaveBeenCalled();
    c.release();
    expect(cache.stats()).toEqual({ compiled: 1, reused: 2, inUse: 0, kept: 1 });
    const again = await cache.acquire("k", make);
    expect(again.value).toBe(a.value);
    expect(cache.stats()).toEqual({ compiled: 1, reused: 3, inUse: 1, kept: 0 });
    cache.close();
    expect(free).not.toHaveBeenCalled();
    again.release();
    await Promise.resolve();
    expect(free).toHaveBeenCalledExactlyOnceWith(a.value);
    expect(cache.stats()).toMatchObject({ inUse: 0, kept: 0 });
  });

  it("does not store failures", async () => {
    const cache = new SharedCache<number>({ free: () => {} });
    await expect(cache.acquire("k", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(cache.stats()).toEqual({ compiled: 0, reused: 0, inUse: 0, kept: 0 });
    expect((await cache.acquire("k", async () => 7)).value).toBe(7);
  });

  it("keeps the values that were used last, up to a number", async () => {
    const freed: number[] = [];
    const cache = new SharedCache<number>({ free: (value) => freed.push(value) });
    const use = async (value: number): Promise<void> =>
      (await cache.acquire(`${value}`, async () => value)).release();
    for (let i = 0; i < MOST_UNUSED; i++) await use(i);
    await use(0);
    await use(MOST_UNUSED);
    expect(freed).toEqual([1]);
    expect(cache.stats()).toEqual({ compiled: MOST_UNUSED + 1, reused: 1, inUse: 0, kept: MOST_UNUSED });
  });

  it("frees a value with its last user if none wants it kept", async () => {
    const free = vi.fn();
    const cache = new SharedCache<number>({ free });
    const leases = (value: number, ...keeps: readonly boolean[]): Promise<Lease<number>[]> =>
      Promise.all(keeps.map((keep) => cache.acquire(`${value}`, async () => value, keep)));
    const [first, second] = await leases(1, false, false);
    first?.release();
    expect(free).not.toHaveBeenCalled();
    second?.release();
    for (const { release } of await leases(2, false, true, false)) release();
    expect(free.mock.calls).toEqual([[1]]);
    expect(cache.stats()).toEqual({ compiled: 2, reused: 3, inUse: 0, kept: 1 });
  });

  it("frees exactly the unused values when it is closed", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.boolean())), async (steps) => {
        const freed = new Set<string>();
        const cache = new SharedCache<string>({ free: (name) => freed.add(name) });
        cache.close();
        const held: Record<string, (() => void)[]> = { a: [], b: [], c: [] };
        for (const [key, takes] of steps) {
          if (takes) {
            freed.delete(key);
            held[key]?.push((await cache.acquire(key, async () => key)).release);
          } else held[key]?.pop()?.();
          await Promise.resolve();
        }
        expect(cache.stats().inUse).toBe(Object.values(held).filter((users) => users.length > 0).length);
        for (const key of freed) expect(held[key]).toEqual([]);
      }),
    ));
});

const array = (name: string, role: Binding["role"], more: Partial<Binding> = {}): Binding => ({
  name,
  role,
  type: "f32",
  memory: "f32",
  bytesPerElement: 4,
  bytes: { op: "mul", args: [{ op: "max", args: ["n", 1] }, 4] },
  alignment: 4,
  elements: "n",
  cleared: false,
  ...more,
});
const manifest = (bindings: readonly Binding[], workGroupSize: readonly number[] = [4]): Manifest => ({
  format: "groupwise-manifest",
  version: 2,
  generator: "test",
  command: "",
  pipeline: "test",
  target: "test",
  workGroupSize,
  maxItems: 1000,
  strategy: "none",
  params: [
    { name: "n", type: "u32", memory: "u32", role: "length" },
    { name: "size", type: "u32", memory: "u32", role: "size", dimension: 0 },
    { name: "from", type: "u32", memory: "u32", role: "offset", dimension: 0 },
    { name: "k", type: "f32", memory: "f32", role: "user" },
  ],
  bindings,
  passes: [],
  scratchBytes: 0,
  requires: [],
  flags: {},
});

describe("scratch", () => {
  test("arrays share memory without overlapping, aligned", () =>
    fc.property(
      fc.array(fc.tuple(fc.nat(40), fc.constantFrom(2, 4, 8)), { maxLength: 6 }),
      fc.constantFrom(8, 64, 256),
      fc.nat(900),
      (rows, alignment, n) => {
        const bindings = rows.map(([extra, bytesPerElement], i) =>
          array(`s${i}`, "scratch", { bytesPerElement, elements: { op: "add", args: ["n", extra] } }),
        );
        const plan = scratchPlan(manifest([array("x", "input"), ...bindings]), n, { alignment });
        let end = 0;
        rows.forEach(([extra, bytes], i) => {
          const offset = plan.offsets.get(`s${i}`) as number;
          expect(offset % alignment).toBe(0);
          expect(offset).toBeGreaterThanOrEqual(end);
          end = offset + (n + extra) * bytes;
        });
        expect(plan.bytes).toBeGreaterThanOrEqual(end);
        expect(plan.offsets.has("x")).toBe(false);
      },
    ));
});

/** An array of nobody's memory. */
class FakeArray implements OwnArray {
  readonly type: Scalar;
  readonly length: number;
  readonly byteLength: number;
  readonly byteOffset: number;
  readonly root: object;
  isGone = false;
  constructor(type: Scalar, length: number, root: object = {}, byteOffset: number = 0) {
    this.type = type;
    this.length = length;
    this.byteLength = 4 * length;
    this.root = root;
    this.byteOffset = byteOffset;
  }
  check(): void {
    if (this.isGone) throw new Error("gone");
  }
  slice(from: number, to: number = this.length): FakeArray {
    return new FakeArray(this.type, to - from, this.root, this.byteOffset + 4 * from);
  }
  write(): void {}
  read(): Promise<never> {
    return Promise.reject(new Error("no memory"));
  }
  dispose(): void {}
}

describe("a step", () => {
  const sums = manifest([
    array("x", "input"),
    array("sums", "output"),
    array("total", "output", { elements: 1 }),
    array("taken", "output", { elements: 1, hidden: true, type: "u32" }),
    array("work", "scratch"),
  ]);
  const of = (length: number, type: Scalar = "f32"): FakeArray => new FakeArray(type, length);
  const given = (n: number) => ({ x: of(n), sums: of(n), total: of(1), k: 2 });
  const prepare = (
    arrays: Readonly<Record<string, DeviceArray | ScalarValue>>,
    options: StepOptions = {},
    of: Manifest = sums,
  ) =>
    prepareStep<FakeArray>(of, arrays, options, {
      own: (one) => (one instanceof FakeArray ? one : undefined),
      sliceAlignment: 8,
      scratchBytes: ({ globalSize }) => scratchPlan(of, globalSize).bytes,
    });

  it("takes its length from the inputs, or a shorter one from the options", () => {
    expect(prepare(given(7)).launch.n).toBe(7);
    expect(prepare(given(7), { n: 5 }).launch.n).toBe(5);
    expect(prepare(given(7), { globalSize: [3] }).launch.params.map((p) => p.value)).toEqual([3, 3, 0, 2]);
    expect([...prepare(given(7)).arrays.keys()]).toEqual(["x", "sums", "total"]);
  });

  it("with a count is prepared for the maximum, and made smaller later", () => {
    const count = of(3, "u32").slice(1) as FakeArray & DeviceArray<"u32">;
    const step = prepare(given(7), { n: { count, at: 1, max: 6 } });
    expect(step).toMatchObject({ count: { at: 1, max: 6 }, launch: { n: 6, globalSize: [6] } });
    expect(step.count?.array).toBe(count);
    const { params, n } = withItems(sums, step.launch, 2);
    expect([n, ...params.map(({ value }) => value)]).toEqual([2, 2, 2, 0, 2]);
  });

  it("may share one array among inputs, and slices that do not overlap", () => {
    const all = of(16);
    expect(prepare({ ...given(8), x: all.slice(0, 8), sums: all.slice(8) }).launch.n).toBe(8);
    const two = manifest([array("a", "input"), array("b", "input"), array("sum", "output")]);
    expect(prepare({ a: all, b: all, sum: of(16), k: 1 }, {}, two).launch.n).toBe(16);
  });

  it("returns an output in place under either name", () => {
    const inPlace = manifest([array("sums", "output", { inPlace: "x" })]);
    const one = of(4);
    for (const arrays of [{ x: one }, { sums: one }, { x: one, sums: one }]) {
      const step = prepare({ ...arrays, k: 1 }, {}, inPlace);
      expect([step.arrays.get("sums"), step.launch.n]).toEqual([one, 4]);
    }
    const two = errorFrom(() => prepare({ x: one, sums: of(4), k: 1 }, {}, inPlace));
    expect(two.code).toBe("bad-buffer");
    expect(errorFrom(() => prepare({ k: 1 }, {}, inPlace)).code).toBe("missing-input");
  });

  const foreign = { type: "f32", length: 4, slice: () => {}, dispose: () => {} } as never;
  const all = of(16);
  const counts = (length: number) => of(length, "u32") as FakeArray & DeviceArray<"u32">;
  it.each<[string, string, Readonly<Record<string, unknown>>, StepOptions]>([
    ["unknown-input", "a name that is not there", { y: of(4) }, {}],
    ["unknown-input", "scratch by its name", { work: of(4) }, {}],
    ["missing-input", "no input", { x: undefined }, {}],
    ["missing-input", "no parameter", { k: undefined }, {}],
    ["missing-output", "no output", { total: undefined }, {}],
    ["wrong-dtype", "another type", { x: of(4, "i32") }, {}],
    ["wrong-dtype", "a host's array", { x: new Float32Array(4) }, {}],
    ["wrong-dtype", "a number for an array", { x: 1 }, {}],
    ["wrong-dtype", "null", { sums: null }, {}],
    ["bad-parameter", "an array for a parameter", { k: of(1) }, {}],
    ["foreign-device", "another runtime's array", { x: foreign }, {}],
    ["bad-buffer", "a short output", { sums: of(3) }, {}],
    ["bad-buffer", "an empty total", { total: of(0) }, {}],
    ["bad-buffer", "a short input", {}, { n: 5 }],
    ["bad-buffer", "a misaligned slice", { x: of(5).slice(1) }, {}],
    ["bad-buffer", "an output in an input", { x: all.slice(0, 4), sums: all.slice(2, 6) }, {}],
    ["bad-buffer", "two outputs in one array", { sums: all.slice(0, 4), total: all.slice(2, 3) }, {}],
    ["bad-buffer", "small scratch", {}, { scratch: of(63) }],
    [
      "bad-buffer",
      "scratch in an input",
      { x: new FakeArray("f32", 64, all) },
      { scratch: new FakeArray("f32", 64, all) },
    ],
    ["bad-buffer", "a count past its array", {}, { n: { count: counts(2), at: 2, max: 4 } }],
    ["wrong-dtype", "a count of floats", {}, { n: { count: of(2) as never, max: 4 } }],
    ["bad-buffer", "a count of more than the arrays hold", {}, { n: { count: counts(1), max: 5 } }],
    ["bad-length", "a count of up to nothing known", {}, { n: { count: counts(1) } as never }],
    ["bad-length", "half an item", {}, { n: 1.5 }],
    ["too-many-items", "more than the arithmetic allows", {}, { n: 1001 }],
    ["bad-range", "a count and a range", {}, { n: { count: counts(1), max: 4 }, globalSize: [4] }],
    ["length-mismatch", "a range of another length", {}, { n: 3, globalSize: [4] }],
  ])("%s: %s", (code, _, change, options) => {
    const arrays = Object.entries({ ...given(4), ...change }).filter(([, value]) => value !== undefined);
    expect(errorFrom(() => prepare(Object.fromEntries(arrays) as never, options)).code).toBe(code);
  });

  it("refuses disposed arrays, and inputs of two lengths", () => {
    const gone = given(4);
    gone.x.isGone = true;
    expect(() => prepare(gone)).toThrow("gone");
    const two = manifest([array("a", "input"), array("b", "input")]);
    expect(errorFrom(() => prepare({ a: of(4), b: of(5), k: 1 }, {}, two)).code).toBe("length-mismatch");
    expect(prepare({ a: of(4), b: of(5), k: 1 }, { n: 4 }, two).launch.n).toBe(4);
    const grid = manifest([array("a", "input")], [2, 2]);
    const counted = { n: { count: counts(1), max: 4 } };
    expect(errorFrom(() => prepare({ a: of(4), k: 1 }, counted, grid)).code).toBe("bad-range");
  });

  test("finds the same overlaps as sets of bytes", () => {
    const range = fc.tuple(fc.nat(12), fc.nat(6));
    const root = {};
    return fc.property(range, range, ([a, m], [b, n]) => {
      const bytes = new Set(Array.from({ length: m }, (_, i) => a + i));
      const common = Array.from({ length: n }, (_, i) => b + i).some((i) => bytes.has(i));
      const one = new FakeArray("f32", m, root, 4 * a);
      expect(overlap(one, new FakeArray("f32", n, root, 4 * b))).toBe(common);
      expect(overlap(one, new FakeArray("f32", n, {}, 4 * b))).toBe(false);
    });
  });
});

it("lays elements out as the capabilities define", () => {
  const scalars = { f32: "native", f16: "emulated", u64: "emulated", f64: { unsupported: "no" } };
  const capabilities = { scalars, halfMemory: "u16", boolMemory: "u32" } as never;
  expect(layoutOf("f32", capabilities)).toEqual({ type: "f32", memory: "f32", bytesPerElement: 4 });
  expect(layoutOf("f16", capabilities)).toEqual({ type: "f16", memory: "u16", bytesPerElement: 2 });
  expect(layoutOf("u64", capabilities)).toEqual({ type: "u64", memory: "u32", bytesPerElement: 8 });
  expect(errorFrom(() => layoutOf("f64", capabilities)).code).toBe("unsupported");
});
