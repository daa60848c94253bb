/** Tiles of kinds of passes: which passes have them, rows folded together, and their bits. */

import { type Checked, check } from "@groupwise/ir/document/check.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import {
  type Capabilities,
  type KindTiles,
  type LookBack,
  lookBackFor,
  type TileKind,
} from "@groupwise/kernel/capabilities/capabilities.js";
import { withTiles } from "@groupwise/kernel/capabilities/tiles.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import type { Stmt } from "@groupwise/kernel/language/stmt.js";
import { walk } from "@groupwise/kernel/language/walk.js";
import { describe, expect, test } from "vitest";
import { operatorOf } from "../../ir/test/operator-builder.ts";
import {
  binary,
  cast,
  constant,
  type Draft,
  documentOf,
  input,
  output,
  unary,
} from "../../ir/test/support.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower } from "../src/lower.ts";
import { moduleOf, resultsOf } from "./pipeline-interpreter.ts";

const TALL: KindTiles = { workGroupSize: 64, rows: 16 };
const withKinds = (of: readonly TileKind[], tiles: KindTiles = TALL): Capabilities => ({
  ...SIMT,
  scalars: { ...SIMT.scalars, i64: "native", f32: "native" },
  subgroups: { minSize: 32, maxSize: 32 },
  surplusGroups: false,
  lookBack: {
    ...{ workGroupSize: 128, rows: 8, groups: 1, polls: 2, withheld: [0] },
    kinds: Object.fromEntries(of.map((kind) => [kind, tiles])),
  },
});

const X: Draft = { kind: "input", name: "x", type: "u32" };
const scan = (form: "scan-inclusive" | "scan-exclusive", of: number, type: Scalar = "u32"): Draft =>
  ({
    ...{ kind: form, of, op: "add", type, identity: type === "i64" ? "0" : 0 },
    ...{ scope: "device", order: "fixed" },
  }) as Draft;

/** Scans by operator 0, of which the first two fields are read. */
const scansOf = (of: readonly number[]): Draft[] =>
  [0, 1].map(
    (field) =>
      ({
        ...{ kind: "user-collective", operator: 0, form: "scan-inclusive", field },
        ...{ scope: "device", of },
      }) as Draft,
  );

const affine = operatorOf("affine", { a: "u32", b: "u32" }, { a: 1, b: 0 }, (left, right) => ({
  a: right.a.op("mul", left.a),
  b: right.a.op("mul", left.b).op("add", right.b),
}));
/** With odd factors: products of even ones are 0 after some items, and then nothing depends on those before. */
const maps = {
  ...documentOf([
    ...[X, unary("not", 0), constant(1), binary("or", 0, 2)],
    ...scansOf([3, 1]),
    ...[output(4, "a"), output(5, "b")],
  ]),
  operators: [affine],
};

/** Sums of sums: with the number of items as the third field. */
const sums = operatorOf("sums", { a: "u32", b: "u32", c: "u32" }, { a: 0, b: 0, c: 0 }, (left, right) => ({
  a: left.a.op("add", right.a),
  b: left.b.op("add", right.b).op("add", left.a.op("mul", right.c)),
  c: left.c.op("add", right.c),
}));
const triples = {
  ...documentOf([
    ...[X, unary("not", 0), constant(1)],
    ...scansOf([0, 1, 2]),
    ...[output(3, "a"), output(4, "b")],
  ]),
  operators: [sums],
};

/** A pass of each kind, and passes of none. */
const PASSES: Readonly<Record<string, readonly [kind: TileKind | undefined, checked: Checked]>> = {
  "a word": ["word", check(documentOf([X, scan("scan-exclusive", 0), output(1)]))],
  "64 bits": ["wide", check(documentOf([X, cast("i64", 0), scan("scan-inclusive", 1, "i64"), output(2)]))],
  "a record": ["record", check(maps)],
  "a record of three words": [undefined, check(triples)],
  "conditions, which are bits": [
    undefined,
    check(
      documentOf([
        ...[X, constant(2 ** 31), binary("lt", 0, 1), cast("u32", 2), scan("scan-exclusive", 3)],
        output(4),
      ]),
    ),
  ],
  "two operands": [
    undefined,
    check(
      documentOf([
        ...[X, unary("not", 0), scan("scan-inclusive", 0), scan("scan-inclusive", 1), output(2)],
        output(3, "z"),
      ]),
    ),
  ],
};
/** What rows that are folded together keep. */
const isKept = (stmt: Stmt): boolean => stmt.kind === "array" && stmt.name.startsWith("kept");
const KINDS: readonly TileKind[] = ["word", "wide", "record", "pairs"];

const scanOf = (checked: Checked, capabilities: Capabilities): Kernel =>
  moduleOf(checked, capabilities).kernels[0] as Kernel;

describe.each(Object.entries(PASSES).map(([name, pass]) => [name, ...pass] as const))(
  "a pass that combines %s",
  (_, kind, checked) => {
    test("has the tiles of its kind alone", () => {
      const others = KINDS.filter((of) => of !== kind);
      expect(scanOf(checked, withKinds(others)).workGroupSize).toBe(128);
      if (kind) expect(scanOf(checked, withKinds([kind])).workGroupSize).toBe(TALL.workGroupSize);
    });

    test("has the results of the reference, row by row and together", () => {
      const n = (process.env.GROUPWISE_FULL ? 2 : 1) * TALL.workGroupSize * 4 * TALL.rows + 77;
      const x = Array.from({ length: n }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> 0);
      const want = reference(checked, { n, inputs: { x } });
      // A pass of no kind has the same kernel whatever the tiles of kinds are.
      const isSame = kind === undefined && !process.env.GROUPWISE_FULL;
      const together: KindTiles = { ...TALL, together: true };
      const tiles = (isSame ? [together] : [TALL, together]).map((one) => withKinds(KINDS, one));
      for (const one of tiles) expect(resultsOf(checked, one, x)).toEqual(want);
      const inKinds = withKinds(KINDS, together);
      // The last tile is not full: one of the scan where an array is written in both ways, otherwise a kernel.
      const lookBack: LookBack = { ...(inKinds.lookBack as LookBack), slotRows: true };
      expect(resultsOf(checked, { ...inKinds, lookBack, mixedRows: "any" }, x)).toEqual(want);
      const arrays = tiles.map((one) => [...walk(scanOf(checked, one).body)].filter(isKept));
      expect(arrays.map(({ length }) => length > 0)).toEqual(
        [false, kind !== undefined].slice(isSame ? 1 : 0),
      );
    });
  },
);

test("many counts of conditions have shorter tiles, whose totals take less memory", () => {
  const counts = Array.from({ length: 32 }, (_, i): Draft[] => [
    ...[constant(i), binary("lt", 0, 4 * i + 1), cast("u32", 4 * i + 2)],
    scan("scan-inclusive", 4 * i + 3),
  ]);
  const outputs = counts.map((_, i) => output(4 * i + 4, `y${i}`));
  const given = withKinds([]);
  const lookBack: LookBack = { ...(given.lookBack as LookBack), workGroupSize: 256 };
  const checked = check(documentOf([X, ...counts.flat(), ...outputs]));
  expect(lower(checked, { ...given, lookBack, workGroupMemory: 32768 }).strategy).toBe("look-back");
});

test.each([0, 1, 4095, 4096, 4097])("%i items in one pass have the reference's scan and total", (n) => {
  const sum = { op: "add", type: "u32", identity: 0, scope: "device", order: "fixed" } as const;
  const checked = check(
    documentOf([
      ...[X, scan("scan-exclusive", 0)],
      { kind: "reduce", of: 0, ...sum },
      ...[output(1), output(2, "total")],
    ]),
  );
  const capabilities: Capabilities = { ...withKinds([]), mixedRows: "any" };
  expect(lower(checked, capabilities).module.kernels).toHaveLength(1);
  const x = Array.from({ length: n }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> 0);
  expect(resultsOf(checked, capabilities, x)).toEqual(reference(checked, { n, inputs: { x } }));
});

test("halves that a device has go from tile to tile", () => {
  const type = "f16";
  const sum = { op: "add", type, identity: 0, scope: "device", order: "fixed" } as const;
  const checked = check(
    documentOf([
      input(type),
      { kind: "scan-inclusive", of: 0, ...sum },
      { kind: "scan-exclusive", of: 0, ...sum },
      ...[output(1), output(2, "before")],
    ]),
  );
  const given = withKinds([]);
  const scalars = { ...given.scalars, f16: "native" } as const;
  const x = Array.from({ length: 2 * 4096 + 77 }, (_, i) => ((i * 37) % 64) / 64 - 0.5);
  const found = resultsOf(checked, { ...given, scalars, mixedRows: "any" }, x);
  expect(found).toEqual(reference(checked, { n: x.length, inputs: { x } }));
});

describe("rows of two items", () => {
  const scans = (type: "i64" | "f64", own: Scalar = type): Checked => {
    const same = { op: "add", type, identity: type === "f64" ? 0 : "0", scope: "device", order: "fixed" };
    return check(
      documentOf([
        ...[input(own), cast(type, 0)],
        ...["scan-inclusive", "scan-exclusive", "reduce"].map((kind) => ({ kind, of: 1, ...same }) as Draft),
        ...["y", "z", "total"].map((name, i) => output(i + 2, name)),
      ]),
    );
  };
  const VALUES = {
    i64: (i: number) => BigInt(i * 37 - 900) ** 5n,
    f64: (i: number) => ((i * 37) % 64) / 3 - 9,
  };
  /** 32 rows of a block of lanes, or 8 of 4. */
  const tilesOf = (workGroupSize: number, together?: true): Capabilities => {
    const known = withKinds(["wide"], { workGroupSize, rows: 8, width: 2, ...(together && { together }) });
    return { ...known, mixedRows: "any", scalars: { ...known.scalars, f64: "native" } };
  };
  const TILE = 2048;
  const widths = (checked: Checked): ReadonlySet<number> => {
    const stmts = [...walk(scanOf(checked, tilesOf(32)).body)];
    return new Set(stmts.flatMap((stmt) => (stmt.kind === "store-row" ? [stmt.values.length] : [])));
  };

  test("are those of passes whose arrays have elements of 64 bits", () => {
    expect([...widths(scans("i64"))]).toEqual([2]);
    expect([...widths(scans("i64", "u32"))]).toEqual([4]);
  });

  test.each(["i64", "f64"] as const)("of %s: any length has the results of the reference", (type) => {
    const checked = scans(type);
    const some = [1, TILE - 1, 3 * TILE + 67];
    const all = [tilesOf(32), tilesOf(128), tilesOf(128, true)];
    for (const n of process.env.GROUPWISE_FULL ? [0, 2, 3, 65, TILE, TILE + 1, ...some] : some) {
      const x = Array.from({ length: n }, (_, i) => VALUES[type](i)) as number[];
      const want = reference(checked, { n, inputs: { x } });
      for (const capabilities of all) expect(resultsOf(checked, capabilities, x), `${n}`).toEqual(want);
    }
  });
});

test("measured sizes are those of each kind, whose rows stay together", () => {
  const { lookBack } = withTiles(withKinds(["word", "wide"], { ...TALL, together: true }), {
    lookBack: { workGroupSize: 32, rows: 4, groups: 7 },
  });
  const sized = { workGroupSize: 32, rows: 4, together: true };
  expect(lookBack).toMatchObject({ groups: 7, kinds: { word: sized, wide: sized } });
});

test("a device of smaller work-groups has them in every kind", () => {
  const lookBack = lookBackFor({ maxWorkGroupSize: 32, lookBackTraits: { kinds: { word: TALL } } });
  const [, checked] = PASSES["a word"] as (typeof PASSES)[string];
  expect(scanOf(checked, { ...withKinds([]), lookBack }).workGroupSize).toBe(32);
});
