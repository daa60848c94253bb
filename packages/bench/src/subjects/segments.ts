/** Primitives over segments by offsets, sparse matrices and grids. */
import type { Scalar } from "@groupwise/core";
import { affine, argmax, bool, f32, f64, i32, i64, u32, u64 } from "@groupwise/dsl";
import {
  columnScan,
  rowScan,
  segmentedReduce,
  segmentedScan,
  spmv,
  summedAreaTable,
  transpose,
} from "@groupwise/primitives";
import {
  columns,
  columnTypes,
  FOLDS,
  type HostNumber,
  list,
  offsetsOf,
  type PlainFold,
  POOL,
  type PrimitiveSubject,
  scanned,
  sizesOf,
} from "./subject.ts";

const segmentReduce = (fold: PlainFold, name: string, what: unknown): PrimitiveSubject => ({
  name: `segmented reduce: ${name}`,
  what,
  types: { offsets: "u32", ...columnTypes(fold, "x", "results") },
  trial: (n, random) => {
    const offsets = offsetsOf(sizesOf(n, random));
    const x = list(n, (i) => fold.draw(random, i));
    const starts = new Set(offsets);
    const { upTo, bound } = scanned(fold, x, (i) => starts.has(i));
    const ends = offsets.slice(1).map((to, s) => (to > (offsets[s] as number) ? to - 1 : -1));
    const results = ends.map((end) => (end < 0 ? fold.identity : (upTo[end] as readonly HostNumber[])));
    return {
      given: { ...columns(fold, "x", x), offsets },
      want: columns(fold, "results", results),
      ...(fold.unit && { bound: { results: ends.map((end) => bound[end] ?? 0) } }),
    };
  },
});

const segmentScan = (
  fold: PlainFold,
  name: string,
  what: unknown,
  isExclusive = false,
): PrimitiveSubject => ({
  name: `segmented ${isExclusive ? "exclusive " : ""}scan: ${name}`,
  what,
  types: { offsets: "u32", ...columnTypes(fold, "x", "sums") },
  trial: (n, random) => {
    const offsets = offsetsOf(sizesOf(n, random));
    const x = list(n, (i) => fold.draw(random, i));
    const starts = new Set(offsets);
    const { before, upTo, bound } = scanned(fold, x, (i) => starts.has(i));
    return {
      given: { ...columns(fold, "x", x), offsets },
      want: columns(fold, "sums", isExclusive ? before : upTo),
      ...(fold.unit && { bound: { sums: bound } }),
    };
  },
});

const sparse = (type: Scalar, what: unknown, unit?: number): PrimitiveSubject => ({
  name: `sparse matrix times vector, ${type}`,
  what,
  types: { elements: type, columns: "u32", offsets: "u32", x: type, y: type },
  trial: (n, random) => {
    const offsets = offsetsOf(sizesOf(n, random));
    const width = random.int(1, 50);
    const draw = (): number => (unit ? Math.fround(random.unit() * 2 - 1) : random.bits() | 0);
    const [elements, x] = [list(n, draw), list(width, draw)];
    const chosen = list(n, () => random.int(0, width - 1));
    const [y, bound]: [number[], number[]] = [[], []];
    for (let row = 0; row + 1 < offsets.length; row++) {
      let [sum, size] = [0, 0];
      const [from, to] = [offsets[row] as number, offsets[row + 1] as number];
      for (let i = from; i < to; i++) {
        const [a, b] = [elements[i] as number, x[chosen[i] as number] as number];
        sum = unit ? sum + a * b : (sum + Math.imul(a, b)) | 0;
        size += Math.abs(a * b);
      }
      y.push(sum);
      bound.push((unit ?? 0) * (to - from + 1) * size * 1.01);
    }
    return {
      given: { elements, columns: chosen, offsets, x },
      want: { y },
      ...(unit && { bound: { y: bound } }),
    };
  },
});

/** A grid of about n items, row after row. */
const sidesOf = (n: number, width: number): { readonly width: number; readonly height: number } => ({
  width,
  height: Math.floor(n / width),
});

const transposes = (type: Scalar, what: unknown): PrimitiveSubject => ({
  name: `transpose ${type}`,
  what,
  types: { x: type, y: type },
  trial: (n, random) => {
    const { width, height } = sidesOf(n, random.pick([1, 2, 7, 64]));
    const x = list(width * height, () => random.pick(POOL[type]));
    const y: HostNumber[] = [];
    for (let c = 0; c < width; c++) for (let r = 0; r < height; r++) y.push(x[r * width + c] as HostNumber);
    return { given: { x }, numbers: { width }, want: { y } };
  },
});

const rows = (fold: PlainFold, name: string, what: unknown, isExclusive = false): PrimitiveSubject => ({
  name: `row scan: ${name}`,
  what,
  types: columnTypes(fold, "x", "sums"),
  trial: (n, random) => {
    const { width, height } = sidesOf(n, random.pick([1, 3, 64, 1000]));
    const x = list(width * height, (i) => fold.draw(random, i));
    const { before, upTo } = scanned(fold, x, (i) => i % width === 0);
    return {
      given: columns(fold, "x", x),
      numbers: { width },
      want: columns(fold, "sums", isExclusive ? before : upTo),
    };
  },
});

const downwards = (fold: PlainFold, name: string, what: unknown): PrimitiveSubject => ({
  name: `column scan: ${name}`,
  what,
  types: columnTypes(fold, "x", "sums"),
  trial: (n, random) => {
    const { width, height } = sidesOf(n, random.pick([1, 3, 64]));
    const x = list(width * height, (i) => fold.draw(random, i));
    const sums: (readonly HostNumber[])[] = [];
    x.forEach((record, i) => {
      sums.push(i < width ? record : fold.combine(sums[i - width] as readonly HostNumber[], record));
    });
    return { given: columns(fold, "x", x), numbers: { width }, want: columns(fold, "sums", sums) };
  },
});

const areas = (type: "u32" | "f32", what: unknown): PrimitiveSubject => ({
  name: `summed-area table ${type}`,
  what,
  types: { x: type, sums: type },
  trial: (n, random) => {
    const { width, height } = sidesOf(n, random.pick([1, 5, 64]));
    const isFloat = type === "f32";
    const x = list(width * height, () => (isFloat ? Math.fround(random.unit()) : random.bits()));
    const sums: number[] = [];
    for (let r = 0; r < height; r++) {
      let row = 0;
      for (let c = 0; c < width; c++) {
        row += x[r * width + c] as number;
        const sum = row + (r > 0 ? (sums[(r - 1) * width + c] as number) : 0);
        sums.push(isFloat ? sum : sum % 2 ** 32);
        if (!isFloat) row %= 2 ** 32;
      }
    }
    const bound = sums.map((sum) => sum * (width + height) * 2 ** -24 * 1.01);
    return { given: { x }, numbers: { width }, want: { sums }, ...(isFloat && { bound: { sums: bound } }) };
  },
});

export const SEGMENTS: readonly PrimitiveSubject[] = [
  segmentReduce(FOLDS.addI32, "add i32", segmentedReduce("add", i32)),
  segmentReduce(FOLDS.minF32, "min f32", segmentedReduce("min", f32)),
  segmentReduce(FOLDS.minU64, "min u64", segmentedReduce("min", u64)),
  segmentReduce(FOLDS.xorBool, "logical xor bool", segmentedReduce("logical-xor", bool)),
  segmentReduce(FOLDS.addF64, "add f64", segmentedReduce("add", f64)),
  segmentReduce(FOLDS.affineU32, "affine maps, not commutative", segmentedReduce(affine(u32))),
  segmentReduce(FOLDS.argmaxI32, "argmax records", segmentedReduce(argmax(i32))),
  segmentScan(FOLDS.addU32, "add u32", segmentedScan("add", u32)),
  segmentScan(FOLDS.addF32, "add f32", segmentedScan("add", f32)),
  segmentScan(FOLDS.mulI64, "mul i64", segmentedScan("mul", i64, "exclusive"), true),
  segmentScan(FOLDS.affineU32, "affine maps", segmentedScan(affine(u32))),
  segmentScan(FOLDS.affineU32, "affine maps", segmentedScan(affine(u32), "exclusive"), true),
  sparse("i32", spmv(i32)),
  sparse("f32", spmv(f32), 2 ** -24),
  sparse("f64", spmv(f64), 2 ** -53),
  transposes("i64", transpose(i64)),
  transposes("bool", transpose(bool)),
  rows(FOLDS.addU32, "add u32", rowScan("add", u32)),
  rows(FOLDS.affineU32, "affine maps, exclusive", rowScan(affine(u32), "exclusive"), true),
  downwards(FOLDS.maxF64, "max f64", columnScan("max", f64)),
  downwards(FOLDS.affineU32, "affine maps", columnScan(affine(u32))),
  areas("u32", summedAreaTable(u32)),
  areas("f32", summedAreaTable(f32)),
];
