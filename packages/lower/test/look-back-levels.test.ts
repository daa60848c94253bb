/**
 * Look-back by an interpreter of kernels: single tiles of long ranges, whose earlier slots are given by a rule; and the barriers that compilers
 * may have to copy where lanes exchange values through work-group memory.
 */

import { check } from "@groupwise/ir/document/check.js";
import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Kernel, Module } from "@groupwise/kernel/language/module.js";
import type { Stmt } from "@groupwise/kernel/language/stmt.js";
import { blocksOf } from "@groupwise/kernel/language/walk.js";
import { describe, expect, test } from "vitest";
import { documentOf } from "../../ir/test/support.ts";
import { runGroup } from "../../kernel/test/kernel-interpreter.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower } from "../src/lower.ts";

const TILE = 4096;
const LEVELS = 4;
const looking = (workGroupSize: number): Capabilities => ({
  ...SIMT,
  surplusGroups: false,
  lookBack: { workGroupSize, rows: 8, groups: 1, polls: 2 },
});
const INPUTS = ["x", "w"] as const;
const OUTPUTS = ["y", "z"] as const;
/** @param count of scans in one pass, each of an input of its own */
const sumsOf = (type: "u32" | "f32", count: number) => {
  const monoid = { op: "add", type, identity: 0, scope: "device", order: "fixed" } as const;
  const inputs = INPUTS.slice(0, count).map((name) => ({ kind: "input", name, type }) as const);
  const scans = inputs.map((_, of) => ({ kind: "scan-inclusive", of, ...monoid }) as const);
  const outputs = OUTPUTS.slice(0, count).map(
    (name, i) => ({ kind: "output", name, of: count + i }) as const,
  );
  return check(documentOf([...inputs, ...scans, ...outputs]));
};
/** The ways in which lanes exchange values: the size of subgroups, and the number of scans. The prefixes of several are searched in loops. */
const WAYS = [
  ["through work-group memory", { subgroupSize: 1, scans: 1 }],
  ["in subgroups of 32", { subgroupSize: 32, scans: 1 }],
  ["in subgroups of 32, those of two scans", { subgroupSize: 32, scans: 2 }],
] as const;
interface Way {
  readonly subgroupSize: number;
  readonly scans: number;
}
const exchanging = (subgroupSize: number): Capabilities => ({
  ...looking(128),
  ...(subgroupSize > 1 && { subgroups: { minSize: subgroupSize, maxSize: subgroupSize } }),
});

const FACTOR = 0x9e3779b1;
const item = (i: number): number => Math.imul(i, FACTOR) >>> 0;
/** The sum of the items from one to another, in closed form. */
const sumOf = (from: number, to: number): number => {
  const upTo = (n: number): bigint => (BigInt(n) * BigInt(n - 1)) / 2n;
  return Number(BigInt.asUintN(32, (upTo(to) - upTo(from)) * BigInt(FACTOR)));
};
/** The words of a published value: its halves, each with the bit that marks it. */
const halves = (value: number): readonly number[] => [(value & 0xffff) | 0x10000, (value >>> 16) | 0x10000];

const blocksIn = (n: number, level: number): number => Math.floor(n / (TILE * 32 ** level));
/** The index of a slot's first word in the status, as `look-back/shape.ts` describes it. */
const placeOf = ({ scans }: Way, n: number, level: number, slot: number): number => {
  let before = 0;
  for (let below = 0; below < level; below++) before += blocksIn(n, below);
  return 1 + 2 * scans * (before + slot);
};
/** The words of a slot. */
const wordsOf = ({ scans }: Way, value: number): readonly number[] =>
  Array.from({ length: scans }, () => halves(value)).flat();
const totalOf = (level: number, slot: number): number => {
  const length = TILE * 32 ** level;
  return sumOf(slot * length, (slot + 1) * length);
};

/** An array that is read by a rule. What is written is read back. */
function ruled(length: number, read: (index: number) => number) {
  const written = new Map<number, number>();
  const array = new Proxy([] as ScalarValue[], {
    get: (_, key) => (key === "length" ? length : (written.get(Number(key)) ?? read(Number(key)))),
    set: (_, key, value) => {
      written.set(Number(key), value);
      return true;
    },
  });
  return { array, written };
}

type TotalOf = (level: number, slot: number) => number;

/** The slots before a tile, each at its place. */
function slotsBefore(way: Way, n: number, tile: number, total: TotalOf): Map<number, number> {
  const words = new Map<number, number>();
  for (let level = 0; level < LEVELS; level++) {
    const block = Math.floor(tile / 32 ** level);
    for (let slot = block - (block % 32); slot < block; slot++)
      wordsOf(way, total(level, slot)).forEach((word, i) => {
        words.set(placeOf(way, n, level, slot) + i, word);
      });
  }
  return words;
}

/** A kernel, and a tile of a range. */
interface Run {
  readonly module: Module;
  /** The number of the kernel. */
  readonly kernel?: number;
  readonly way: Way;
  readonly n: number;
  readonly tile: number;
  readonly read?: (index: number) => number;
  /** The bits of totals. */
  readonly total?: TotalOf;
  /** Words of the status that nobody has published. */
  readonly lost?: readonly number[];
  /** Its published words; default: those of the slots before the tile. */
  readonly words?: Map<number, number>;
}

/** What a kernel writes to the output and to the status for a tile. */
function ran({
  module,
  kernel = 0,
  way,
  n,
  tile,
  read = item,
  total = totalOf,
  lost = [],
  words: given,
}: Run) {
  const words = given ?? slotsBefore(way, n, tile, total);
  for (const word of lost) words.delete(word);
  const [y, z] = [ruled(n, () => 0), ruled(n, () => 0)];
  const status = ruled(2 ** 32, (i) => (i === 0 ? tile : (words.get(i) ?? 0)));
  // The work-group takes the tile; the next number that it takes is past the end.
  const taken = new Proxy(status.array, {
    set: (array, key, value) =>
      Reflect.set(array, key, Number(key) === 0 ? Math.ceil(n / TILE) : value, array),
  });
  const { array: x } = ruled(n, read);
  const storage = { x, w: x, y: y.array, z: z.array, status: taken };
  const { functions } = module;
  runGroup(module.kernels[kernel] as Kernel, {
    size: 128,
    group: 0,
    storage,
    functions,
    subgroupSize: way.subgroupSize,
    params: { n },
  });
  status.written.delete(0);
  if (way.scans > 1) expect(z.written).toEqual(y.written);
  return { y: y.written, status: status.written };
}

const prefixes = (from: number, to: number): Map<number, number> => {
  const want = new Map<number, number>();
  let sum = sumOf(0, from);
  for (let i = from; i < to; i++) {
    sum = (sum + item(i)) >>> 0;
    want.set(i, sum);
  }
  return want;
};
const sorted = (map: Map<number, number>) => new Map([...map].sort(([a], [b]) => a - b));
const LONG = 0xefffff00;

// Outside of full runs two scans in subgroups show what one shows.
const TRIED = WAYS.filter(
  ([, way]) => process.env.GROUPWISE_FULL || way.subgroupSize === 1 || way.scans === 2,
);
describe.each(TRIED)("a tile of a long range, lanes exchanging values %s", (_, way) => {
  const { module } = lower(sumsOf("u32", way.scans), exchanging(way.subgroupSize));
  // The ends and beginnings of blocks of each level, alone and together; short ranges use fewer levels.
  const tiles = [
    [0, 32],
    [32, 33],
    [1023, 1024],
    [32 * 1024 - 1, 900_000],
    [32 * 1024 + 32 + 5, 900_000],
    [800_767, 900_000],
  ] as const;
  test.each(tiles)("%i of %i: its prefixes, and the slots that it publishes", (tile, count) => {
    const n = Math.min(count * TILE, LONG);
    const { y, status } = ran({ module, way, n, tile });
    expect(sorted(y)).toEqual(prefixes(tile * TILE, (tile + 1) * TILE));
    const want = new Map<number, number>();
    for (let level = 0; level < LEVELS; level++) {
      const slot = Math.floor(tile / 32 ** level);
      if ((tile + 1) % 32 ** level !== 0 || slot >= blocksIn(n, level)) continue;
      // Blocks that no later tile can read need no slot.
      if (32 ** level > count) continue;
      wordsOf(way, totalOf(level, slot)).forEach((word, i) => {
        want.set(placeOf(way, n, level, slot) + i, word);
      });
    }
    expect(sorted(status)).toEqual(sorted(want));
  });

  test.each([
    [37, 0, 33],
    [37, 1, 0],
  ])("%i computes a slot of level %i that is missing", (tile, level, slot) => {
    const n = 2000 * TILE;
    const at = placeOf(way, n, level, slot);
    const { y, status } = ran({ module, way, n, tile, lost: [at, at + 1] });
    expect(sorted(y)).toEqual(prefixes(tile * TILE, (tile + 1) * TILE));
    expect([status.get(at), status.get(at + 1)]).toEqual(halves(totalOf(level, slot)));
  });

  if (way.subgroupSize === 1)
    test.each([
      [31, 0, 30, 1],
      [1023, 1, 30, 2],
    ])(
      "%i publishes the blocks that it ends although a slot of level %i was missing",
      (tile, level, slot, blocks) => {
        const n = 2000 * TILE;
        const at = placeOf(way, n, level, slot);
        const { status } = ran({ module, way, n, tile, lost: [at, at + 1] });
        for (let above = 1; above <= blocks; above++) {
          const block = Math.floor(tile / 32 ** above);
          const own = placeOf(way, n, above, block);
          expect([status.get(own), status.get(own + 1)]).toEqual(halves(totalOf(above, block)));
        }
      },
    );
  // A tile that waits for the block computes it; after the last full tile there is none.
  else
    test.each([32, 64, 1024, 33 * 1024 + 96])(
      "the tail after %i tiles computes the blocks that the last of them ends and, since a slot was late, has not published",
      (tile) => {
        const n = tile * TILE + 77;
        const words = new Map([
          ...slotsBefore(way, n, tile - 1, totalOf),
          ...slotsBefore(way, n, tile, totalOf),
        ]);
        const put = (level: number, slot: number, published: boolean): void =>
          wordsOf(way, totalOf(level, slot)).forEach((word, i) => {
            const at = placeOf(way, n, level, slot) + i;
            if (published) words.set(at, word);
            else words.delete(at);
          });
        put(0, tile - 1, true);
        const want = new Map<number, number>();
        for (let level = 1; level < LEVELS && tile % 32 ** level === 0; level++) {
          const slot = tile / 32 ** level - 1;
          put(level, slot, false);
          wordsOf(way, totalOf(level, slot)).forEach((word, i) => {
            want.set(placeOf(way, n, level, slot) + i, word);
          });
        }
        const { y, status } = ran({ module, kernel: 1, way, n, tile, words });
        expect(sorted(y)).toEqual(prefixes(tile * TILE, n));
        expect(sorted(status)).toEqual(sorted(want));
      },
    );

  test.each([127, 3199, 4095, 36_863])(
    "%i in floats: the total of blocks that end with it comes before the prefix of earlier ones",
    (tile) => {
      const capabilities = {
        ...exchanging(way.subgroupSize),
        scalars: { ...SIMT.scalars, f32: "native" } as const,
      };
      const floats = lower(sumsOf("f32", way.scans), capabilities).module;
      const add = (a: number, b: number): number => Math.fround(a + b);
      const count = tile + 1;
      const tileTotals = Array.from({ length: count }, (_, i) =>
        Math.fround(Math.sqrt(((i * 37) % 127) + 1)),
      );
      const tree = (from: number, length: number): number =>
        length === 1
          ? (tileTotals[from] as number)
          : add(tree(from, length / 2), tree(from + length / 2, length / 2));
      const bits = (value: number): number => new Uint32Array(Float32Array.of(value).buffer)[0] as number;
      // The first item of the tile is its total.
      const first = tile * TILE;
      const read = (i: number): number => (i === first ? (tileTotals[tile] as number) : 0);
      const total: TotalOf = (level, slot) => bits(tree(slot * 32 ** level, 32 ** level));
      const { y } = ran({ module: floats, way, n: 40_000 * TILE, tile, read, total });
      // The prefix of the first tiles: the largest aligned blocks, from left to right.
      const prefix = (tiles: number): number => {
        let [sum, from] = [0, 0];
        for (let size = 2 ** 15; size >= 1; size /= 2) {
          if (!(tiles & size)) continue;
          sum = from === 0 ? tree(0, size) : add(sum, tree(from, size));
          from += size;
        }
        return sum;
      };
      const last = add(prefix(tile), tileTotals[tile] as number);
      expect(y.get(first)).toBe(last);
      expect(y.get(first + TILE - 1)).toBe(prefix(count));
      // The other order, from left to right, gives other bits.
      expect(last).not.toBe(prefix(count));
    },
  );

  const ENDS = [0, 31, 32, 1024, 33 * 1024 + 7];
  test.each(ENDS)("after %i tiles: the tail", (tile) => {
    const n = tile * TILE + 99;
    expect(sorted(ran({ module, kernel: 1, way, n, tile }).y)).toEqual(prefixes(tile * TILE, n));
  });

  // Through work-group memory the tail keeps a kernel of its own.
  if (way.subgroupSize > 1) {
    const both: Capabilities = { ...exchanging(way.subgroupSize), mixedRows: "any" };
    const inOne = lower(sumsOf("u32", way.scans), both).module;
    test.each(ENDS)(
      "after %i tiles: a tile that is not full, which publishes nothing but what is missing",
      (tile) => {
        expect(inOne.kernels).toHaveLength(1);
        const n = tile * TILE + 99;
        const { y, status } = ran({ module: inOne, way, n, tile });
        expect(sorted(y)).toEqual(prefixes(tile * TILE, n));
        expect(status.size).toBe(0);
        if (tile % 32 === 0) return;
        const lost = placeOf(way, n, 0, tile - 1);
        const late = ran({ module: inOne, way, n, tile, lost: [lost, lost + 1] });
        expect(sorted(late.y)).toEqual(prefixes(tile * TILE, n));
        expect([late.status.get(lost), late.status.get(lost + 1)]).toEqual(halves(totalOf(0, tile - 1)));
      },
    );
  }
});

const isBarrier = ({ kind }: Stmt): boolean => kind === "barrier" || kind === "uniform-load";
const all = (stmts: readonly Stmt[]): Stmt[] =>
  stmts.flatMap((stmt) => [stmt, ...blocksOf(stmt).flatMap(all)]);

describe("compilers that copy the code after a barrier that may be skipped", () => {
  const skipped = (kernel: Kernel): Stmt[] =>
    all(kernel.body).filter((stmt) => stmt.kind === "if" && blocksOf(stmt).flatMap(all).some(isBarrier));
  test.each([32, 128, 256])("copy what computes a missing slot alone, in work-groups of %i", (size) => {
    const [first, second] = lower(sumsOf("u32", 1), looking(size)).module.kernels as [Kernel, Kernel];
    expect(skipped(first)).toHaveLength(1);
    expect(skipped(second)).toEqual([]);
    // A budget: compilers take as long for a barrier as for the code before it.
    expect(all(first.body).filter(isBarrier).length).toBeLessThanOrEqual(30);
  });
});
