/** Drawings of scans: they show the order of the reference, and every line is an operand. */
import { check, reference } from "@groupwise/core";
import { f32, pipeline } from "@groupwise/dsl";
import { describe, expect, test } from "vitest";
import { drawingOf } from "../.vitepress/theme/figures/fenwick.ts";
import { readsOf, slotsOf } from "../.vitepress/theme/figures/look-back.ts";

const LENGTHS = [0, 1, 2, 3, 7, 8, 13, 31, 32];

describe("the Fenwick order", () => {
  const sums = check(pipeline("sums", { x: f32 }, ({ x }) => ({ sums: x.scanInclusive("add") })).ir);

  test.each(LENGTHS)("of %s floats has the bits of the reference", (n) => {
    const x = Array.from({ length: n }, (_, i) => Math.fround(Math.sin(i) * 10 ** (i % 7)));
    const { prefixes } = drawingOf(x, (a, b) => Math.fround(a + b));
    const want = reference(sums, { n, inputs: { x } }).sums;
    expect(prefixes.map(({ value }) => value)).toEqual([...(want ?? [])]);
  });

  test.each(LENGTHS)("of %s items: each value combines the values of its lines, in order", (n) => {
    const items = Array.from({ length: n }, (_, i) => String.fromCharCode(97 + i));
    const { cells, prefixes, lines, rows } = drawingOf(items, (a, b) => `(${a}${b})`);
    const all = new Map([...cells, ...prefixes].map((cell) => [cell.key, cell]));
    expect(all.size).toBe(cells.length + prefixes.length);
    for (const cell of all.values()) {
      const operands = lines.filter(({ to }) => to === cell.key).map(({ from }) => all.get(from));
      const sorted = operands.sort((a, b) => (a?.from ?? 0) - (b?.from ?? 0) || (a?.to ?? 0) - (b?.to ?? 0));
      expect(cell.value.replace(/[()]/g, "")).toBe(items.slice(cell.from, cell.to).join(""));
      if (operands.length === 2) expect(cell.value).toBe(`(${sorted[0]?.value}${sorted[1]?.value})`);
      if (operands.length === 1) expect(cell.value).toBe(operands[0]?.value);
      expect(cell.row).toBeLessThan(Math.max(rows, 1));
    }
    // Every block is needed.
    for (const { key } of cells) expect(lines.some(({ from }) => from === key)).toBe(true);
  });
});

describe("look-back", () => {
  test.each([2, 4, 32])("with blocks of %s tiles: reads cover all earlier tiles in order", (radix) => {
    const known = new Set(slotsOf(1100, radix).map(({ level, index }) => `${level}/${index}`));
    for (const tile of [0, 1, radix - 1, radix, 33, 1023, 1024, 1099]) {
      let at = 0;
      const levels = new Map<number, number>();
      for (const { level, index } of readsOf(tile, radix)) {
        expect(known.has(`${level}/${index}`)).toBe(true);
        expect(index * radix ** level).toBe(at);
        at += radix ** level;
        levels.set(level, (levels.get(level) ?? 0) + 1);
      }
      expect(at).toBe(tile);
      for (const count of levels.values()) expect(count).toBeLessThan(radix);
    }
  });

  test("only whole blocks are published", () => {
    const keys = slotsOf(9, 4).map(({ level, index }) => `${level}/${index}`);
    expect(keys).toEqual([...Array.from({ length: 9 }, (_, i) => `0/${i}`), "1/0", "1/1"]);
  });
});
