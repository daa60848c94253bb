/** Rows along an axis, and groups by index, beside plain loops over each alone. */
import { affine, f32, i16, i32, u32 } from "@groupwise/dsl";
import { along, axisArgmax, axisReduce, axisScan, axisSort, reduceByIndex } from "@groupwise/primitives";
import type { Random } from "@groupwise/testkit";
import { anyOf, compare, compareBits, indexes, itemsOf, pick, someBits } from "./order.ts";
import {
  columns,
  columnTypes,
  FOLDS,
  type HostNumber,
  list,
  type PlainFold,
  type PrimitiveSubject,
  scanned,
} from "./subject.ts";

type Shape = readonly [outer: number, length: number, inner: number];
type Records = readonly (readonly HostNumber[])[];

/** Of at most n items. */
function shapeOf(n: number, random: Random): Shape {
  const [length, inner] = [random.pick([1, 8, 33, 100, Math.max(n, 1)]), random.pick([1, 1, 5])];
  return [Math.floor(n / (length * inner)), length, inner];
}

/** The places of the items of each row. */
const rowsOf = ([outer, length, inner]: Shape): number[][] =>
  list(outer * inner, (row) =>
    list(length, (j) => (Math.floor(row / inner) * length + j) * inner + (row % inner)),
  );

/** What comes of lists of places, each combined alone; and bounds for sums that round. */
function combined(fold: PlainFold, x: Records, lists: readonly (readonly number[])[]) {
  const all = lists.map((places) =>
    scanned(
      fold,
      places.map((i) => x[i] as readonly HostNumber[]),
      () => false,
    ),
  );
  const results = all.map(({ upTo }) => upTo.at(-1) ?? fold.identity);
  return { all, results, bounds: all.map(({ bound }) => bound.at(-1) ?? 0) };
}

const scans = (fold: PlainFold, name: string, what: unknown): PrimitiveSubject => ({
  name: `scan along an axis: ${name}`,
  what,
  types: columnTypes(fold, "x", "sums"),
  trial: (n, random) => {
    const [shape, sums, bounds] = [shapeOf(n, random), [] as (readonly HostNumber[])[], [] as number[]];
    const rows = rowsOf(shape);
    const x = list(rows.flat().length, (i) => fold.draw(random, i));
    combined(fold, x, rows).all.forEach(({ upTo, bound }, row) => {
      rows[row]?.forEach((i, j) => {
        sums[i] = upTo[j] as readonly HostNumber[];
        bounds[i] = bound[j] as number;
      });
    });
    return {
      given: columns(fold, "x", x),
      numbers: along(shape, 1),
      want: columns(fold, "sums", sums),
      ...(fold.unit && { bound: { sums: bounds } }),
    };
  },
});

const reduces = (fold: PlainFold, name: string, what: unknown): PrimitiveSubject => ({
  name: `reduce along an axis: ${name}`,
  what,
  types: columnTypes(fold, "x", "results"),
  trial: (n, random) => {
    const shape = shapeOf(n, random);
    const rows = rowsOf(shape);
    const x = list(rows.flat().length, (i) => fold.draw(random, i));
    const { results, bounds } = combined(fold, x, rows);
    return {
      given: columns(fold, "x", x),
      numbers: along(shape, 1),
      want: columns(fold, "results", results),
      ...(fold.unit && { bound: { results: bounds } }),
    };
  },
});

const greatest: PrimitiveSubject = {
  name: "argmax along an axis, i32",
  what: axisArgmax(i32),
  types: { x: "i32", results_value: "i32", results_index: "u32" },
  trial: (n, random) => {
    const shape = shapeOf(n, random);
    const rows = rowsOf(shape);
    const x = list(rows.flat().length, () => random.int(-3, 3));
    const places = rows.map((row) =>
      row.reduce((best, i, j) => ((x[i] as number) > (x[row[best] as number] as number) ? j : best), 0),
    );
    const want = {
      results_value: places.map((place, row) => x[rows[row]?.[place] as number] as number),
      results_index: places,
    };
    return { given: { x }, numbers: along(shape, 1), want };
  },
};

const sorts = (
  type: "f32" | "i16",
  what: unknown,
  { descending = false, byBits = false } = {},
): PrimitiveSubject => ({
  name: `sort along an axis, ${type}${descending ? ", down" : ""}${byBits ? ", by some bits" : ""}`,
  what,
  types: { keys: type, sorted: type, from: "u32" },
  trial: (n, random) => {
    const shape = shapeOf(n, random);
    const rows = rowsOf(shape);
    const keys = (byBits ? anyOf : itemsOf)(type, rows.flat().length, random);
    const bits = byBits ? someBits(type, random) : undefined;
    const by = bits ? compareBits(type, descending, bits) : compare(type, "sorts", descending);
    const [sorted, from]: [HostNumber[], number[]] = [[], []];
    for (const row of rows) {
      const own = pick(keys, row);
      const order = indexes(row.length).sort((a, b) => by(own[a] as HostNumber, own[b] as HostNumber));
      row.forEach((i, j) => {
        from[i] = order[j] as number;
        sorted[i] = own[order[j] as number] as HostNumber;
      });
    }
    return { given: { keys }, numbers: { ...along(shape, 1), ...bits }, want: { sorted, from } };
  },
});

const groups = (fold: PlainFold, name: string, what: unknown): PrimitiveSubject => ({
  name: `reduce by index: ${name}`,
  what,
  types: { keys: "u32", counts: "u32", ...columnTypes(fold, "x", "results") },
  trial: (n, random) => {
    const groups = random.pick([1, 7, 300]);
    const [x, keys] = [list(n, (i) => fold.draw(random, i)), list(n, () => random.int(0, groups - 1))];
    const lists = list(groups, () => [] as number[]);
    keys.forEach((key, i) => void lists[key]?.push(i));
    const { results, bounds } = combined(fold, x, lists);
    const counts = lists.map(({ length }) => length);
    return {
      given: { ...columns(fold, "x", x), keys },
      numbers: { groups },
      want: { ...columns(fold, "results", results), counts },
      ...(fold.unit && { bound: { results: bounds } }),
    };
  },
});

export const ROWS: readonly PrimitiveSubject[] = [
  scans(FOLDS.addF32, "add f32", axisScan("add", f32)),
  scans(FOLDS.affineU32, "affine maps", axisScan(affine(u32))),
  reduces(FOLDS.addF32, "add f32", axisReduce("add", f32)),
  reduces(FOLDS.affineU32, "affine maps", axisReduce(affine(u32))),
  greatest,
  sorts("f32", axisSort(f32)),
  sorts("i16", axisSort(i16, { descending: true }), { descending: true }),
  sorts("f32", axisSort(f32), { byBits: true }),
  groups(FOLDS.addF32, "add f32", reduceByIndex("add", f32)),
  groups(FOLDS.affineU32, "affine maps", reduceByIndex(affine(u32))),
];
