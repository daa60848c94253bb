/** Sums and products of f32 on a device that flushes subnormal operands and results: the interpreter of kernels does. */

import { type Checked, check } from "@groupwise/ir/document/check.js";
import type { Pipeline } from "@groupwise/ir/document/node.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import { bool, call, load, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Stmt } from "@groupwise/kernel/language/stmt.js";
import { allExprs } from "@groupwise/kernel/language/walk.js";
import { SUBNORMAL_FUNCTIONS } from "@groupwise/kernel/library/types/subnormals.js";
import { describe, expect, it } from "vitest";
import { operatorOf } from "../../ir/test/operator-builder.ts";
import { binary, type Draft, documentOf, output } from "../../ir/test/support.ts";
import { bitsOf, floatOf } from "../../kernel/test/calls.ts";
import { runGroup } from "../../kernel/test/kernel-interpreter.ts";
import { kernelWith } from "../../kernel/test/modules.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower } from "../src/lower.ts";
import { moduleOf, resultsOf } from "./pipeline-interpreter.ts";

type Pair = readonly [number, number];
const OPERATIONS: Readonly<Record<string, (a: number, b: number) => number>> = {
  add_f32: (a, b) => Math.fround(a + b),
  sub_f32: (a, b) => Math.fround(a - b),
  mul_f32: (a, b) => Math.fround(a * b),
};

/**
 * The pairs for which a function differs from the operation, and both results.
 * @param isNormal the condition of the function that has one, with which it says that there is no subnormal number
 */
function differing(fn: string, pairs: readonly Pair[], isNormal?: boolean): readonly (readonly number[])[] {
  const i = { kind: "var", name: "i", type: "u32" } as const;
  const [a, b] = ["x", "y"].map((array) => load("storage", array, "f32", i)) as [never, never];
  const args = isNormal === undefined ? [a, b] : [a, b, bool(isNormal)];
  const value = call(isNormal === undefined ? fn : `${fn}_unless`, "f32", args);
  const store: Stmt = { kind: "store", space: "storage", array: "z", index: i, value };
  const bounds = { from: u32(0), below: u32(pairs.length), step: 1 } as const;
  const loop: Stmt = { kind: "for", name: "i", ...bounds, body: [store] };
  const storage = { x: pairs.map(([x]) => x), y: pairs.map(([, y]) => y), z: pairs.map(() => 0) };
  runGroup(kernelWith([loop]), { size: 1, storage, functions: SUBNORMAL_FUNCTIONS, flushes: true });
  const wanted = OPERATIONS[fn] as (a: number, b: number) => number;
  return pairs
    .map(([x, y], at) => [x, y, storage.z[at] as number, wanted(x, y)] as const)
    .filter(([, , got, want]) => !Object.is(got, want));
}

/** Powers of two where operations change their form, and the floats beside them. */
const EXPONENTS = [
  -149, -148, -138, -128, -127, -126, -125, -124, -103, -102, -101, -100, -78, -77, -76, -75, -63, -24, -23,
  -1, 0, 1, 22, 23, 24, 126, 127,
];
const EDGES = EXPONENTS.flatMap((exponent) => {
  const bits = bitsOf(2 ** exponent);
  return [bits - 1, bits, bits + 1, bits + (exponent < -126 ? 0 : 0x555555)];
}).concat([0x7f7fffff, 0x7f800000, 0x7fc00000]);
const SIGNED = EDGES.flatMap((bits) => [floatOf(bits), floatOf((bits | 0x80000000) >>> 0)]);
const EDGE_PAIRS = SIGNED.flatMap((a) => SIGNED.map((b): Pair => [a, b]));

/** Numbers of 32 bits without a pattern (Weyl's sequence, and Murmur's last steps). */
function* words(): Generator<number, never> {
  for (let i = 1; ; i++) {
    let x = Math.imul(i, 0x9e3779b1);
    x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
    yield (x ^ (x >>> 16)) >>> 0;
  }
}

/** Pairs of floats: near one another, of a product near the least numbers, or any; a third of all is subnormal. */
function randomPairs(count: number): readonly Pair[] {
  const random = words();
  const next = (): number => random.next().value;
  const subnormal = (): number => next() & 0x807fffff;
  const small = (): number => (next() & 0x807fffff) | ((next() % 28) << 23);
  const kinds: readonly (() => Pair)[] = [
    () => [subnormal(), subnormal()],
    () => [subnormal(), small()],
    () => [small(), small()],
    () => [subnormal(), next()],
    () => [next(), next()],
    // Sums that cancel.
    () => {
      const [a, by] = [small(), (next() % 9) - 4];
      return [a, Math.max(0, (a ^ 0x80000000) + by)];
    },
    // Products near the least normal number and near the least number, among them ties.
    () => {
      const exponent = next() % 100;
      const fraction = next() & (-1 << (next() % 24)) & 0x807fffff;
      const other = 130 + (next() % 30) - exponent - (next() & 1 ? 22 : 0);
      return [(next() & 0x807fffff) | (exponent << 23), fraction | (Math.max(0, other) << 23)];
    },
  ];
  return Array.from({ length: count }, (_, i) => {
    const [a, b] = (kinds[i % kinds.length] as () => Pair)();
    return i & 1 ? [floatOf(a >>> 0), floatOf(b >>> 0)] : [floatOf(b >>> 0), floatOf(a >>> 0)];
  });
}

it("a subnormal number decides the rounding of a power of two, whose predecessors are half as far apart", () => {
  const tie = 2 ** -127;
  const pairs = [-101, -102, -103].flatMap((e): Pair[] => [
    [2 ** e, -(tie + 2 ** -149)],
    [2 ** e, -tie],
    [2 ** e, -(2 * tie - 2 ** -149)],
  ]);
  expect(differing("add_f32", pairs)).toEqual([]);
  expect(
    differing(
      "sub_f32",
      pairs.map(([a, b]) => [a, -b]),
    ),
  ).toEqual([]);
});

describe.each(Object.keys(OPERATIONS))("%s rounds once", (fn) => {
  it("all pairs of numbers where operations change their form", () => {
    expect(differing(fn, EDGE_PAIRS)).toEqual([]);
  });

  it("random pairs, a third of whose numbers are subnormal", () => {
    expect(differing(fn, randomPairs(2 ** 15))).toEqual([]);
  });

  it("unless a condition says that there is no subnormal number: then the result is the device's", () => {
    const pairs = EDGE_PAIRS.filter((_, i) => i % 7 === 0);
    expect(differing(fn, pairs, false)).toEqual([]);
    const others = differing(fn, pairs, true);
    const isSmall = (x: number): boolean => Math.abs(x) < 2 ** -126;
    expect(others.length).toBeGreaterThan(0);
    expect(others.every(([a, b, , want]) => [a, b, want].some((x) => isSmall(x as number)))).toBe(true);
  });
});

const DEVICE = {
  ...SIMT,
  scalars: { ...SIMT.scalars, f32: "native", f16: "emulated" },
  expand: ["float-constants", "guard-rounding"],
  subnormals: "exact",
} as const;
const collective = { scope: "device", order: "fixed", type: "f32" } as const;
const PIPELINE: readonly Draft[] = [
  { kind: "input", name: "x", type: "f32" },
  { kind: "const", type: "f32", value: 2 ** 120 },
  { kind: "const", type: "f32", value: 2 ** -140 },
  ...[binary("mul", 0, 1), binary("sub", 0, 2)],
  { kind: "scan-inclusive", op: "add", identity: 0, of: 0, ...collective },
  { kind: "scan-exclusive", op: "mul", identity: 1, of: 3, ...collective },
  { kind: "reduce", op: "add", identity: 0, of: 0, ...collective },
  ...[3, 4, 5, 6, 7].map((of): Draft => ({ kind: "output", name: `y${of}`, of })),
];

describe("a pipeline", () => {
  const checked = check(documentOf(PIPELINE));
  // Below 2^-119.
  const values = randomPairs(64).map(([a]) => floatOf((bitsOf(a) & 0x83ffffff) >>> 0));
  const wanted = reference(checked, { inputs: { x: values }, globalSize: [values.length] });

  it("gives the reference's bits where all operations of the device flush", () => {
    expect(resultsOf(checked, DEVICE, values, true)).toEqual(wanted);
  });

  it("differs where the device's own operations are used", () => {
    const got = resultsOf(checked, { ...DEVICE, subnormals: "flush" }, values, true);
    for (const [name, want] of Object.entries(wanted)) expect(got[name]).not.toEqual(want);
  });

  it("computes halves, of which none is subnormal as an f32, as before", () => {
    const halves = PIPELINE.map(
      (node): Draft => ("type" in node ? { ...node, type: "f16" } : node),
    ) as Draft[];
    halves[1] = { kind: "const", type: "f16", value: 2 };
    halves[2] = { kind: "const", type: "f16", value: 2 ** -24 };
    const { module } = lower(check(documentOf(halves)), DEVICE);
    const called = module.kernels
      .flatMap(({ body }) => [...allExprs(body)])
      .filter(({ kind }) => kind === "call");
    expect(called.length).toBeGreaterThan(0);
    expect(called.filter((e) => "fn" in e && e.fn in OPERATIONS)).toEqual([]);
  });
});

/** Floats of both signs, a tenth of them subnormal, zeros, infinities and NaN among numbers from `from` on, of `count` exponents. */
function tenthSubnormal(from: number, count: number, length: number): readonly number[] {
  const random = words();
  const next = (): number => random.next().value;
  return Array.from({ length }, (_, i) => {
    if (i % 10 === 0) return floatOf((next() & 0x807fffff) >>> 0);
    if (i % 97 === 0)
      return [0, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN][next() % 5] as number;
    return floatOf(((next() & 0x807fffff) | ((from + 127 + (next() % count)) << 23)) >>> 0);
  });
}

describe("a map of several sums and products in rows", () => {
  const ROWS = { ...DEVICE, mixedRows: "any" } as const;
  const input: Draft = { kind: "input", name: "x", type: "f32" };
  type Step = readonly ["add" | "sub" | "mul", number | "x"];
  /** Steps from x on, each with x or with a constant. */
  const chain = (steps: readonly Step[]): Checked => {
    const nodes: Draft[] = [input];
    let left = 0;
    for (const [op, by] of steps) {
      if (by !== "x") nodes.push({ kind: "const", type: "f32", value: Math.fround(by) });
      nodes.push({ kind: "binary", op, left, right: by === "x" ? 0 : nodes.length - 1 });
      left = nodes.length - 1;
    }
    return check(documentOf([...nodes, output(left)]));
  };
  const stepOf = (text: string): Step => {
    const [op, by] = text.split(" ");
    return [op as "add", by === "x" ? by : Number(by)];
  };
  const repeated = (...steps: Step[]): Step[] => Array.from({ length: 5 }, () => steps).flat();
  const MAPS: Readonly<Record<string, Checked>> = {
    "products and sums in turn": chain(repeated(["mul", 1.01], ["add", "x"])),
    "products that underflow": chain(repeated(["mul", 2 ** -20], ["sub", "x"])),
    "products by x": chain(["mul x", `add ${2 ** -60}`, "mul x", "sub x", "mul x"].map(stepOf)),
    "sums that cancel": chain(repeated(["add", 2 ** -100], ["sub", "x"])),
    "products alone": chain(["mul x", `mul ${2 ** -27}`, `mul ${2 ** 100}`, "mul x"].map(stepOf)),
    "products that cancel": chain(
      ["mul x", `mul ${2 ** -20}`, `sub ${2 ** -122}`, `mul ${2 ** 100}`].map(stepOf),
    ),
  };
  const inTwoForms = (checked: Checked): boolean =>
    moduleOf(checked, ROWS)
      .kernels.flatMap(({ body }) => allExprs(body))
      .some((e) => e.kind === "binary" && e.normal === true);

  it.each(Object.keys(MAPS))("%s: the reference's bits on a device that flushes", (name) => {
    const map = MAPS[name] as Checked;
    expect(inTwoForms(map)).toBe(true);
    const near = Array.from({ length: 64 }, (_, i) => 2 ** -51 * (1 + i * 2 ** -12));
    expect(resultsOf(map, ROWS, near, true)).toEqual(
      reference(map, { inputs: { x: near }, globalSize: [near.length] }),
    );
    for (const [from, count] of Object.entries({ [-127]: 250, [-8]: 16, [-53]: 4, [-104]: 6, [-80]: 40 })) {
      const values = tenthSubnormal(Number(from), count, 1024).map((x, i) =>
        i < 512 || Math.abs(x) >= 2 ** -126 ? x : 0,
      );
      const wanted = reference(map, { inputs: { x: values }, globalSize: [values.length] });
      expect(resultsOf(map, ROWS, values, true)).toEqual(wanted);
    }
  });

  it("has functions for each operation where a constant is too small to multiply by", () => {
    const map = chain(repeated(["mul", 2 ** -100], ["add", "x"]));
    expect(inTwoForms(map)).toBe(false);
  });
});

describe("a reduce in tiles", () => {
  const reduces = (...ops: readonly (readonly ["add" | "mul", number])[]): Checked =>
    check(
      documentOf([
        { kind: "input", name: "x", type: "f32" },
        ...ops.map(([op, identity]): Draft => ({ kind: "reduce", op, identity, of: 0, ...collective })),
        ...ops.map((_, i): Draft => ({ kind: "output", name: `y${i}`, of: 1 + i })),
      ]),
    );
  const REDUCES: Readonly<Record<string, Checked>> = {
    sums: reduces(["add", 0]),
    products: reduces(["mul", 1]),
    "sums and products": reduces(["add", 0], ["mul", 1]),
  };
  const WITH_SUBGROUPS = {
    ...DEVICE,
    tile: { workGroupSize: 64, itemsPerWorkItem: 4 },
    subgroups: { minSize: 32, maxSize: 32 },
  } as const;
  /** Numbers about 1, of which few blocks of eight have these factors, whose product is about 1. */
  const factors = (...some: readonly number[]): readonly number[] =>
    Array.from({ length: 3333 }, (_, i) => (i % 800 < 8 ? (some[i % 8] ?? 1) : 1 - ((i % 3) - 1) * 2 ** -12));
  const DATA: Readonly<Record<string, readonly number[]>> = {
    "numbers of any size, a tenth of them subnormal": tenthSubnormal(-127, 250, 3333).filter(Number.isFinite),
    "numbers about 2^-102 that cancel": tenthSubnormal(-103, 2, 3333).map((x, i, all) =>
      Number.isFinite(x) ? (i & 1 ? Math.fround(-(all[i - 1] as number) * (1 + 2 ** -20)) : x) : 0,
    ),
    "numbers of 2^-100, of which one in 500 is subnormal": Array.from({ length: 3333 }, (_, i) =>
      i % 500 === 7 ? 2 ** -127 : (i & 1 ? -1 : 1) * 2 ** -100,
    ),
    "infinities and NaN": tenthSubnormal(-4, 8, 3333),
    zeros: Array.from({ length: 3333 }, (_, i) => (i % 1000 === 0 ? 2 ** -130 : -0)),
    "factors of which some are subnormal": factors(1.25 * 2 ** -127, 2 ** 127),
    "factors whose products are subnormal": factors(
      ...[1.25 * 2 ** -45, 2 ** -45, 2 ** -45, 1, 2 ** 45, 2 ** 45, 2 ** 35, 2 ** 10],
    ),
  };
  const cases = Object.keys(REDUCES).flatMap((of) => Object.keys(DATA).map((kind) => [of, kind] as const));
  it.each(cases)("of %s, %s: the reference's bits on a device that flushes", (of, kind) => {
    const pipeline = REDUCES[of] as Checked;
    for (const device of [DEVICE, WITH_SUBGROUPS])
      for (const n of [3333, 40]) {
        const values = (DATA[kind] as readonly number[]).slice(0, n);
        const wanted = reference(pipeline, { inputs: { x: values }, globalSize: [values.length] });
        expect(resultsOf(pipeline, device, values, true)).toEqual(wanted);
      }
  });
});

describe("a scan that looks back in subgroups which vote", () => {
  const LOOKING = {
    ...DEVICE,
    subgroups: { minSize: 32, maxSize: 32, ballots: true },
    surplusGroups: false,
    lookBack: { workGroupSize: 64, rows: 2, groups: 1, polls: 2, withheld: [1] },
  } as const;
  const scans = (op: "add" | "mul", identity: number): Draft[] => [
    { kind: "input", name: "x", type: "f32" },
    { kind: "scan-inclusive", op, identity, of: 0, ...collective },
    { kind: "scan-exclusive", op, identity, of: 0, ...collective },
    ...[1, 2].map((of): Draft => ({ kind: "output", name: `y${of}`, of })),
  ];
  const affine = operatorOf("affine", { a: "f32", b: "f32" }, { a: 1, b: 0 }, (left, right) => ({
    a: left.a.op("mul", right.a),
    b: right.a.op("mul", left.b).op("add", right.b),
  }));
  const map = { kind: "user-collective", operator: 0, form: "scan-inclusive", scope: "device" };
  /** The factor of each item, and which fields are written. */
  const maps = (factor: readonly Draft[], fields: readonly number[]): Pipeline => ({
    ...documentOf([
      { kind: "input", name: "x", type: "f32" },
      ...factor,
      ...fields.map((field) => ({ ...map, field, of: [factor.length, 0] }) as Draft),
      ...fields.map((_, i): Draft => ({ kind: "output", name: `y${i}`, of: 1 + factor.length + i })),
    ]),
    operators: [affine],
  });
  const constant = (value: number): Draft => ({ kind: "const", type: "f32", value });
  const PIPELINES: Readonly<Record<string, Checked>> = {
    sums: check(documentOf(scans("add", 0))),
    products: check(documentOf(scans("mul", 1))),
    "affine maps of a factor that underflows": check(maps([constant(0.75)], [1])),
    "affine maps of both fields": check(maps([constant(0), binary("sub", 0, 1)], [0, 1])),
  };
  const checked = PIPELINES.sums as Checked;
  /** A tile has at least 32 blocks of 32 work-items, whatever is asked. */
  const TILE = 32 * 32 * 4;
  /** Before a short one: the second is withheld, so that the next one reads the tile itself. */
  const TILES = process.env.GROUPWISE_FULL ? 3 : 2;
  const random = words();
  const next = (): number => random.next().value;
  /** Floats of both signs whose exponents are from `from` on, `count` of them; some are zeros. */
  const floats = (from: number, count: number) => (): number =>
    next() % 8 === 0 ? 0 : floatOf(((next() & 0x807fffff) | ((from + 127 + (next() % count)) << 23)) >>> 0);
  const KINDS: Readonly<Record<string, () => number>> = {
    "numbers of any size": floats(-127, 250),
    "numbers about 1": floats(-4, 8),
    "numbers next to 1, whose products are in range": () => 1 + ((next() % 255) - 127) * 2 ** -14,
    "numbers of 1 or less, whose products reach the limit once": () => (next() % 100 === 0 ? 0.9 : 1),
    "numbers about the limit": floats(-105, 5),
    "numbers just above the limit, whose sums cancel": floats(-102, 1),
    "subnormal numbers": floats(-127, 2),
    "small numbers in one of 2000 items": () => (next() % 2000 === 0 ? floats(-127, 30) : floats(-100, 9))(),
  };

  /** Maps take eight times as long: outside of full runs each has one of these in turn. */
  const FOR_MAPS = ["numbers of any size", "small numbers in one of 2000 items"];
  /** Outside of full runs products have no numbers whose sums are special, and sums none whose products are. */
  const OTHERS: Readonly<Record<string, RegExp>> = { sums: /products/, products: /the limit$|sums/ };
  const kindsOf = (of: string, i: number): readonly string[] => {
    if (!of.startsWith("affine"))
      return Object.keys(KINDS)
        .filter((kind) => process.env.GROUPWISE_FULL || !OTHERS[of]?.test(kind))
        .filter((_, turn) => process.env.GROUPWISE_FULL || turn % 2 === i);
    return FOR_MAPS.filter((_, turn) => process.env.GROUPWISE_FULL || turn === i % 2);
  };
  const pairs = Object.keys(PIPELINES).flatMap((of, i) => kindsOf(of, i).map((kind) => [of, kind] as const));
  it.each(pairs)("%s, %s: the reference's bits on a device that flushes", (of, kind) => {
    const pipeline = PIPELINES[of] as Checked;
    const values = Array.from({ length: TILES * TILE + 77 }, KINDS[kind] as () => number);
    const wanted = reference(pipeline, { inputs: { x: values }, globalSize: [values.length] });
    expect(resultsOf(pipeline, LOOKING, values, true)).toEqual(wanted);
  });

  it("has tiles of this size, so that the data below has several", () => {
    const sizes = Object.values(PIPELINES).map((pipeline) => {
      const { kernels } = moduleOf(pipeline, LOOKING);
      const exprs = kernels.flatMap(({ body }) => allExprs(body));
      return exprs.find((e) => e.kind === "const" && e.name === "TILE_ITEMS");
    });
    expect(sizes).toEqual(sizes.map(() => expect.objectContaining({ value: TILE })));
  });

  const half = 0.75 * 2 ** -126;
  /** Few numbers among zeros, by index. */
  const FEW: Readonly<Record<string, Readonly<Record<number, number>>>> = {
    "a subnormal prefix before a tile of zeros": { 0: half, [2 * TILE]: -0 },
    "two subnormal numbers that decide the rounding of a larger prefix": {
      0: 2 ** -101,
      400: -half,
      401: -half,
    },
    "a subnormal prefix that decides the rounding of a power of two": { 0: -half, [TILE]: 2 ** -102 },
    "numbers below the limit that cancel to a subnormal one": {
      0: 2 ** -103,
      1: -(2 ** -103 + 2 ** -126),
      2: 2 ** -127,
    },
    "a subnormal total of a block in a tile whose total is not": { 0: half, 1000: 1 },
    "numbers of 2^-104 that cancel": { 600: 2 ** -104, 601: -(2 ** -104 + 2 ** -127) },
  };
  it.each(Object.keys(FEW))("%s", (name) => {
    const values = Array.from({ length: 3 * TILE }, (_, i) => FEW[name]?.[i] ?? 0);
    const wanted = reference(checked, { inputs: { x: values }, globalSize: [values.length] });
    expect(resultsOf(checked, LOOKING, values, true)).toEqual(wanted);
  });

  it("a product of totals that is subnormal, of tiles whose prefixes are not", () => {
    const factors: Readonly<Record<number, number>> = {
      0: 2 ** 45,
      [2 * TILE]: 2 ** -45,
      // Two blocks
      [3 * TILE]: 2 ** -50,
      [3 * TILE + 128]: 2 ** -50,
    };
    const values = Array.from({ length: 4 * TILE }, (_, i) => factors[i] ?? 1);
    const products = PIPELINES.products as Checked;
    const wanted = reference(products, { inputs: { x: values }, globalSize: [values.length] });
    expect(resultsOf(products, LOOKING, values, true)).toEqual(wanted);
  });

  it("prefixes that cancel to a small number, in later tiles", () => {
    const values = Array.from({ length: 3 * TILE }, (_, i) => (i % TILE === 0 ? 2 ** -100 : 0));
    values[1] = -(2 ** -100);
    values[2] = 2 ** -126 * 1.5;
    values[TILE] = 2 ** -126;
    values[2 * TILE - 1] = -(2 ** -126) * 1.25;
    const wanted = reference(checked, { inputs: { x: values }, globalSize: [values.length] });
    expect(resultsOf(checked, LOOKING, values, true)).toEqual(wanted);
  });
});
