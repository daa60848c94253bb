/** The pipelines that tests of recorders run. */
import type { PipelineSource } from "@groupwise/core";
import { bool, f16, f32, i64, param, pipeline, u8, u32 } from "@groupwise/dsl";

/** Keeps the values below a limit, in order, and returns their number. Of integers, which llvmpipe compiles in a quarter of the time of floats. */
export const below: PipelineSource = pipeline(
  "below",
  { x: u32, keep: bool, limit: param(u32) },
  ({ x, keep, limit }) => {
    const where = x.lt(limit).and(keep);
    const to = where.toU32().scanExclusive("add");
    return {
      kept: x.scatter({ to, where }),
      count: where.toU32().reduce("add"),
      sums: x.scanInclusive("add"),
    };
  },
);
export const sums: PipelineSource = pipeline("sums", { x: u32 }, ({ x }) => ({
  y: x.scanInclusive("add"),
  all: x.reduce("max"),
}));
export const next: PipelineSource = pipeline("next", { x: u32 }, ({ x }) => ({ y: x.add(1) }));
export const shifted: PipelineSource = pipeline("shifted", { x: u32 }, ({ x }, { index }) => ({
  y: x.scatter({ to: index().add(1) }),
}));

/** No other test compiles it. */
export const once: PipelineSource = pipeline("once", { x: u32 }, ({ x }) => ({ y: x.xor(7) }));

/** The items one place further, in an array of any length. */
export const spread: PipelineSource = pipeline(
  "spread",
  { x: u32, size: param(u32) },
  ({ x, size }, { index }) => ({
    y: x.scatter({ to: index().add(1), capacity: size }),
  }),
);

/** Columns become rows. */
export const turned: PipelineSource = pipeline(
  "turned",
  { x: u32, width: param(u32, { divides: true }) },
  ({ x, width }, { index, size }) => {
    const height = size().div(width);
    return { y: x.at(index().rem(height).mul(width).add(index().div(height))) };
  },
);

/** Item i writes to element i: an array of more elements keeps those after the size. */
export const narrowed: PipelineSource = pipeline(
  "narrowed",
  { x: u32, half: f16, size: param(u32) },
  ({ x, half, size }, { index }) => ({
    bytes: u8(x).scatter({ to: index(), capacity: size }),
    halves: half.scatter({ to: index(), capacity: size }),
  }),
);

/** In order: a pipeline that could use an input's array, whether it can, and the reason if it cannot. */
export const IN_PLACE: readonly [string, PipelineSource, Readonly<Record<string, string>>, RegExp?][] = [
  ["a map", pipeline("twice", { x: f32 }, ({ x }) => ({ y: x.mul(2) })), { y: "x" }],
  ["a map of bytes", pipeline("bytes", { x: u8 }, ({ x }) => ({ y: u8(x.mul(3).add(1)) })), { y: "x" }],
  ["a map of halves", pipeline("halves", { x: f16 }, ({ x }) => ({ y: x.add(1) })), { y: "x" }],
  ["a scan", sums, { y: "x" }],
  ["a scan of words", pipeline("wide", { x: i64 }, ({ x }) => ({ y: x.scanExclusive("max") })), { y: "x" }],
  [
    "a scan of work-groups",
    pipeline("groups", { x: u32 }, ({ x }) => ({ y: x.scanInclusive("add", { scope: "work-group" }) })),
    { y: "x" },
  ],
  [
    "two of two",
    pipeline("both", { a: u32, b: u32 }, ({ a, b }) => ({ y: a.add(b), z: a.scanInclusive("xor") })),
    { z: "a", y: "b" },
  ],
  [
    "what later passes need",
    pipeline("centred", { x: u32 }, ({ x }) => ({ y: x.sub(x.reduce("min")).scanExclusive("add") })),
    { y: "x" },
  ],
  [
    "what a later pass reads again",
    pipeline("later", { x: u32 }, ({ x }) => {
      const y = x.scanInclusive("add");
      return { y, z: x.mul(y.reduce("max")).scanInclusive("add", { scope: "work-group" }) };
    }),
    { y: "x" },
    /after|again|another|overwritten/,
  ],
  ["a total", sums, { all: "x" }, /each item/],
  ["another type", pipeline("floats", { x: u32 }, ({ x }) => ({ y: x.toF32() })), { y: "x" }, /f32/],
  ["a scatter", below, { kept: "x" }, /scatter/],
  ["no input", sums, { y: "z" }, /no such input/],
  ["no output", sums, { w: "x" }, /no such output/],
  [
    "one input for two",
    pipeline("one", { x: u32 }, ({ x }) => ({ y: x.add(1), z: x })),
    { y: "x", z: "x" },
    /another/,
  ],
];
