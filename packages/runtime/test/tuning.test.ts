import { check } from "@groupwise/ir/document/check.js";
import type { Pipeline } from "@groupwise/ir/document/node.js";
import { SCALAR_NAMES } from "@groupwise/ir/tables/scalar.js";
import { withTiles } from "@groupwise/kernel/capabilities/tiles.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collective, type Draft, documentOf, errorFrom } from "../../ir/test/support.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { parseTuning, printTuning } from "../src/tuning/parse.ts";
import { requireTunedFor, rowFor, tilesFor } from "../src/tuning/select.ts";
import type { Tuning, TuningRow } from "../src/tuning/tuning.ts";

const measured = { n: 65536, defaultMs: 2, bestMs: 1, spread: 0.01, clock: "device" } as const;
const row = (changes: Partial<TuningRow> = {}): TuningRow => ({
  kind: "scan",
  type: "u32",
  from: 0,
  below: null,
  tiles: { tile: { workGroupSize: 64, itemsPerWorkItem: 8 } },
  measured,
  ...changes,
});
const tuning = (rows: readonly TuningRow[]): Tuning => ({
  format: "groupwise-tuning",
  version: 1,
  generator: "groupwise 0.1.0",
  device: {
    target: "test",
    hardware: "a device",
    driver: "1",
    maxWorkGroupSize: 256,
    workGroupMemory: 16384,
    subgroups: { minSize: 32, maxSize: 32 },
    lookBack: true,
  },
  rows,
});

describe("a tuning file", () => {
  const size = fc.constantFrom(1, 2, 4, 8, 16, 32, 64);
  const anyRow = fc.record({
    kind: fc.constantFrom("scan" as const, "reduce" as const),
    type: fc.constantFrom(...SCALAR_NAMES),
    tiles: fc.record(
      {
        tile: fc.record({ workGroupSize: size, itemsPerWorkItem: size }),
        lookBack: fc.record({
          workGroupSize: fc.constantFrom(32, 64, 256),
          rows: fc.constantFrom(1, 8, 32),
          groups: fc.integer({ min: 1, max: 65535 }),
        }),
      },
      { requiredKeys: [] },
    ),
    times: fc.tuple(
      fc.double({ min: 0, max: 1e9, noNaN: true }),
      fc.double({ min: 0, max: 1e9, noNaN: true }),
    ),
    borders: fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 32 }), { minLength: 1, maxLength: 3 }),
  });
  /** Rows without overlaps: those of one drawn row share its kind and type, and others are left out. */
  const anyTuning = fc.uniqueArray(anyRow, { selector: ({ kind, type }) => `${kind} ${type}` }).map((drawn) =>
    tuning(
      drawn.flatMap(({ borders, times: [defaultMs, bestMs], ...rest }) => {
        const at = [0, ...borders.toSorted((a, b) => a - b)];
        return at.map((from, i) => ({
          ...rest,
          from,
          below: at[i + 1] ?? null,
          measured: { ...measured, defaultMs, bestMs },
        }));
      }),
    ),
  );

  it("is parsed as it was printed", () => {
    fc.assert(
      fc.property(anyTuning, (value) => {
        const text = printTuning(value);
        expect(parseTuning(text)).toEqual(JSON.parse(text));
        // The order of properties is that of the format.
        const printed = printTuning(parseTuning(value));
        expect(printTuning(parseTuning(printed))).toBe(printed);
        expect(printTuning(parseTuning(Object.fromEntries(Object.entries(value).toReversed())))).toBe(
          printed,
        );
      }),
    );
  });

  it("is a new frozen value", () => {
    const given = tuning([row()]);
    const read = parseTuning(given);
    expect(read).not.toBe(given);
    expect(Object.isFrozen(read.rows[0]?.tiles?.tile)).toBe(true);
  });

  it("is refused with a typed error if it is any other JSON", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        expect(["bad-tuning", "bad-version"]).toContain(errorFrom(() => parseTuning(text)).code);
      }),
    );
  });

  it("is refused if any of its values has another type, or a property is missing or unknown", () => {
    const text = printTuning(
      tuning([row({ tiles: { ...row().tiles, lookBack: { workGroupSize: 64, rows: 2, groups: 9 } } })]),
    );
    const paths: string[][] = [];
    const visit = (value: unknown, path: string[]): void => {
      if (path.length > 0) paths.push(path);
      if (typeof value === "object" && value !== null)
        for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key]);
    };
    visit(JSON.parse(text), []);
    for (const path of paths) {
      const holder = (root: unknown): Record<string, unknown> =>
        path.slice(0, -1).reduce((at, key) => (at as Record<string, never>)[key] as never, root) as never;
      const key = path.at(-1) as string;
      for (const wrong of ["\u001b[31m", { toString: 1 }, -1, 0.5]) {
        const changed = JSON.parse(text) as unknown;
        const isTime = path.includes("measured") && key !== "n" && key !== "clock";
        if (isTime && wrong === 0.5) continue;
        holder(changed)[key] = wrong;
        const error = errorFrom(() => parseTuning(changed));
        expect(["bad-tuning", "bad-version"], path.join(".")).toContain(error.code);
        expect(error.where).toBe(error.code === "bad-version" ? "version" : error.where);
        expect(error.message).not.toContain("\u001b");
      }
      const extended = JSON.parse(text) as unknown;
      holder(extended)[`${key}x`] = 1;
      if (!Array.isArray(holder(extended)))
        expect(errorFrom(() => parseTuning(extended)).code).toBe("bad-tuning");
    }
  });

  const tile = (workGroupSize: unknown) =>
    tuning([row({ tiles: { tile: { workGroupSize: workGroupSize as number, itemsPerWorkItem: 4 } } })]);
  const none = tuning([]);
  const outOfOrder = { ...none, device: { ...none.device, subgroups: { minSize: 64, maxSize: 32 } } };
  const throwing = {
    get rows() {
      throw new Error("no");
    },
  };
  it.each<[string, string, unknown]>([
    ["a later version", "version", { ...none, version: 2 }],
    ["a size that is no power of two", "rows[0].tiles.tile.workGroupSize", tile(96)],
    ["a size above the device's", "rows[0].tiles.tile", tile(512)],
    ["an empty range", "rows[0]", tuning([row({ from: 8, below: 8 })])],
    ["ranges that overlap", "rows[1]", tuning([row({ below: 9 }), row({ from: 8 })])],
    ["code in the place of a size", "rows[0].tiles.tile.workGroupSize", tile("1) { evil(); }")],
    ["subgroups out of order", "device.subgroups", outOfOrder],
    ["too many rows", "rows", tuning(Array.from({ length: 1001 }, (_, i) => row({ from: i, below: i + 1 })))],
    ["an object that cannot be read", "document", throwing],
  ])("is refused for %s, with the location", (_, where, value) => {
    expect(errorFrom(() => parseTuning(value)).where).toBe(where);
  });
});

describe("a row", () => {
  const rows = [
    row({ below: 100, measured: { ...measured, n: 1 } }),
    row({ from: 100, below: 200, measured: { ...measured, n: 2 } }),
    row({ from: 200, measured: { ...measured, n: 3 } }),
  ];
  const subject = { kind: "scan", type: "u32", words: 1 } as const;
  it.each([
    [0, 1],
    [99, 1],
    [100, 2],
    [199, 2],
    [200, 3],
    [2 ** 32, 3],
    [undefined, 3],
  ])("for %s items is that of its range", (items, want) => {
    expect(rowFor(tuning(rows), subject, items)?.measured.n).toBe(want);
  });
  it("without a limit is used for an unknown number alone", () => {
    expect(rowFor(tuning(rows.slice(0, 2)), subject)).toBeUndefined();
  });
  it("of the same type is preferred to one of an integer with as many words", () => {
    const [f32, i64, u32] = [row({ type: "f32" }), row({ type: "i64" }), row()];
    const of = (type: "u32" | "f32" | "i32" | "f64" | undefined, words: number): TuningRow | undefined =>
      rowFor(tuning([f32, i64, u32]), { kind: "scan", type, words });
    expect([of("f32", 1), of("i32", 1), of("f64", 2), of(undefined, 2), of(undefined, 3)]).toEqual([
      f32,
      u32,
      i64,
      i64,
      undefined,
    ]);
    expect(rowFor(tuning([f32]), { kind: "reduce", type: "f32", words: 1 })).toBeUndefined();
  });
});

const input: Draft = { kind: "input", name: "x", type: "f32" };
const output: Draft = { kind: "output", name: "y", of: 1 } as Draft;
const scan: Pipeline = documentOf([input, collective("scan-inclusive", "max", "f32"), output]);
const reduce: Pipeline = documentOf([input, collective("reduce", "max", "f32"), output]);
const inGroup: Pipeline = documentOf([
  input,
  collective("scan-inclusive", "max", "f32", 0, "work-group"),
  output,
]);

describe("sizes of a pipeline", () => {
  const rows = [
    row(),
    row({ type: "f32", tiles: { tile: { workGroupSize: 16, itemsPerWorkItem: 2 } } }),
    row({ kind: "reduce", type: "f32", tiles: { tile: { workGroupSize: 32, itemsPerWorkItem: 2 } } }),
  ];
  const capabilities = SIMT;
  const sizeFor = (document: Pipeline, expand = capabilities.expand): number | undefined =>
    tilesFor(tuning(rows), check(document), { ...capabilities, expand })?.tile?.workGroupSize;
  it("are those of its kind and type", () => {
    expect([sizeFor(scan, []), sizeFor(reduce, []), sizeFor(inGroup)]).toEqual([16, 32, undefined]);
  });
  it("are those of integers where kernels compare floats as integers", () => {
    expect(sizeFor(scan, ["float-min-max"])).toBe(64);
  });
});

describe("the sizes of an option", () => {
  const tile = { workGroupSize: 8, itemsPerWorkItem: 2 };
  it("replace those of the capabilities", () => {
    expect(withTiles(SIMT, { tile }).tile).toEqual(tile);
  });
  it("leave a device without look-back without it", () => {
    const none = { ...SIMT, lookBack: { unsupported: "none" } };
    expect(withTiles(none, { lookBack: { workGroupSize: 32, rows: 1, groups: 1 } }).lookBack).toEqual({
      unsupported: "none",
    });
  });
  it.each([
    ["bad-argument", { tile: { ...tile, itemsPerWorkItem: 3 } }],
    ["bad-argument", { tile: { workGroupSize: 8 } as never }],
    ["bad-argument", { lookBack: { workGroupSize: 32, rows: 1, groups: 0 } }],
    ["bad-argument", { tile: { ...tile, workGroupSize: "8" as never } }],
    ["work-group-too-large", { tile: { ...tile, workGroupSize: 1024 } }],
  ])("are refused with %s", (code, tiles) => {
    expect(errorFrom(() => withTiles({ ...SIMT, maxWorkGroupSize: 256 }, tiles)).code).toBe(code);
  });
});

it("a tuning is for devices of its target and hardware, with any driver", () => {
  const given = tuning([]);
  requireTunedFor(given, { target: "test", hardware: "a device" });
  for (const other of [
    { target: "test", hardware: "another" },
    { target: "other", hardware: "a device" },
    { target: "test" },
  ])
    expect(errorFrom(() => requireTunedFor(given, other)).code).toBe("foreign-tuning");
});
