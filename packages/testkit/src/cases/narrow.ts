/** Arrays of 8 and 16 bits: inputs, tables, outputs and scatters. */
import { bf16, i8, i16, pipeline, table, u8, u16, u32 } from "@groupwise/dsl";
import { type Case, caseOf } from "./base/case.ts";

const saturate = { saturate: true } as const;

const bytes = pipeline(
  "narrow-map",
  { b: u8, c: i8, h: u16, s: i16, f: bf16 },
  ({ b, c, h, s, f }) => ({
    up: u8(b.add(1)),
    down: i8(c.sub(1)),
    least: i8(s, saturate),
    most: u8(h, saturate),
    unsigned: u16(c, saturate),
    signed: i16(h.add(b), saturate),
    wrapped: i16(h.mul(3)),
    rounded: bf16(f.mul(1.01)),
    whole: bf16(h.toF32()),
    wide: b.add(h),
  }),
  { workGroupSize: 64, places: false },
);

const scans = pipeline(
  "narrow-scans",
  { text: u8, weight: bf16, places: table(i8) },
  ({ text, weight, places }, { index, size }) => {
    const isBreak = text.rem(5).eq(0);
    const line = isBreak.toU32().scanExclusive("add");
    return {
      line: u16(line),
      starts: u8(index()).scatter({ to: line, where: isBreak }),
      firsts: u16(text).scatter({ to: index(), where: index().lt(3), length: 3, capacity: 4 }),
      spread: bf16(weight).scatter({ to: index().mul(3), capacity: size().mul(3) }),
      inGroup: u8(text.scanInclusive("add", { scope: "work-group" })),
      ofGroup: u8(text.reduce("xor", { scope: "work-group" })),
      sums: i16(places.at(text).scanInclusive("add")),
      heaviest: bf16(weight.reduce("max")),
      lines: u8(isBreak.toU32().reduce("add")),
      again: line,
    };
  },
  // Work-groups of three write neighbours in one word.
  { workGroupSize: 3, places: false },
);

const grid = pipeline(
  "narrow-grid",
  { image: u8, palette: table(u16) },
  ({ image, palette }, { index, localIndex }) => ({
    shaded: u8(image.div(2).add(localIndex())),
    row: i8(index().sub(localIndex())),
    coloured: u16(palette.at(image)),
    least: u8(image.reduce("min", { scope: "work-group" })),
  }),
  { workGroupSize: [5, 3], places: false },
);

const histogram = pipeline(
  "narrow-histogram",
  { text: u8 },
  ({ text }) => ({
    counts: u32(1).perItem().scatter({ to: text, capacity: 256, combine: "add" }),
  }),
  { places: false },
);

const upper = pipeline(
  "upper-case",
  { text: u8 },
  ({ text }) => ({ upper: u8(text.ge(97).and(text.le(122)).select(text.sub(32), text)) }),
  { places: false },
);

export const NARROW_CASES: readonly Case[] = [
  caseOf(bytes, "every narrow type in and out, wrapped and saturated, in rows", { share: "some" }),
  caseOf(
    scans,
    "narrow tables, scatters, and outputs of groups and of the range, whose neighbours share words",
    { share: "sample" },
  ),
  caseOf(grid, "narrow arrays over two dimensions: single elements"),
  caseOf(histogram, "bytes counted"),
  caseOf(upper, "bytes to bytes", { share: "least", typical: true }),
];
