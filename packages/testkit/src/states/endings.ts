/** Outputs of reduces that the core computes from the state of all items, against those of a device that runs over no items. */
import { check, type Executable, type HostArray, type Pipeline, type Runtime } from "@groupwise/core";
import { Parted, type PartedLoops, type PartPiece, type RunPartPiece } from "@groupwise/core/state";
import {
  bf16,
  bool,
  f16,
  f32,
  f64,
  i16,
  i64,
  operators,
  outputs,
  param,
  pipeline,
  select,
  table,
  u8,
  u32,
  u64,
} from "@groupwise/dsl";
import { expect } from "vitest";

const SUMS = pipeline("sums", { x: f32, gain: param(f32) }, ({ x, gain }, { globalSize }) => {
  const sum = x.reduce("add", { seed: gain });
  return {
    sum,
    product: x.mul(0.001).add(1).reduce("mul"),
    scaled: sum.mul(gain).add(0.1),
    root: sum.abs().sqrt(),
    share: sum.div(globalSize().toF32().add(1)),
    brain: bf16(sum),
    chosen: select(sum.gt(gain), sum, sum.neg()),
  };
});

const COUNTS = pipeline(
  "counts",
  { starts: bool, gain: param(f32), least: param(u32), wide: param(i64) },
  ({ starts, gain, least, wide }, { globalSize }) => {
    const marked = starts.toU32().reduce("add");
    return {
      short: i16(marked.mul(40_503).toI32()),
      byte: u8(marked.mul(251)),
      isLarge: marked.gt(least),
      count: globalSize(),
      left: globalSize().sub(marked),
      far: marked.toI64().mul(wide),
      some: starts.any(),
      every: starts.all(),
      given: gain,
    };
  },
);

const RECORDS = pipeline("records", { x: f32 }, ({ x }, { index }) => ({
  ...outputs({ best: operators.argmax(f32).reduce({ value: x, index: index() }) }),
  ...outputs({ line: operators.affine(f32).reduce({ a: f32(0.9).perItem(), b: x }) }),
}));

/** Types that devices may lack. */
const WIDE = pipeline(
  "wide-endings",
  { d: f64, h: f16, l: i64, u: u64, gain: param(f64) },
  ({ d, h, l, u, gain }) => ({
    sum: d.reduce("add").mul(gain),
    most: l.reduce("max").neg(),
    all: u.reduce("xor"),
    halves: h.reduce("add").mul(1.5),
    asFloat: d.reduce("mul").toF32(),
  }),
);

/** An output reads a table, so a device computes the outputs. */
const READING = pipeline("reading", { x: u32, t: table(f32) }, ({ x, t }) => ({
  picked: t.at(x.reduce("max")),
  sum: x.reduce("add"),
}));

type Values = Readonly<Record<string, HostArray | number | bigint>>;

const xOf = (n: number): Values => ({
  x: Float32Array.from({ length: n }, (_, i) => Math.sin(i) * 2 ** (i % 23)),
});

const VALUES: readonly (readonly [Pipeline, (n: number) => Values])[] = [
  [SUMS.ir, (n) => ({ ...xOf(n), gain: 0.7 })],
  [RECORDS.ir, xOf],
  [
    COUNTS.ir,
    (n) => ({
      starts: Uint8Array.from({ length: n }, (_, i) => Number(i % 3 === 1)),
      gain: 0.7,
      least: 5,
      wide: -(2n ** 41n),
    }),
  ],
  [
    WIDE.ir,
    (n) => ({
      d: Float64Array.from({ length: n }, (_, i) => 1 + Math.sin(i) / 3),
      h: Uint16Array.from({ length: n }, (_, i) => 0x3000 + (i % 97)),
      l: BigInt64Array.from({ length: n }, (_, i) => BigInt(i * i) - 2n ** 60n),
      u: BigUint64Array.from({ length: n }, (_, i) => 2n ** 63n + BigInt(i) ** 3n),
      gain: 1 / 3,
    }),
  ],
  [
    READING.ir,
    (n) => ({ x: Uint32Array.from({ length: n }, (_, i) => (i * 7) % 5), t: Float32Array.of(3, 1, 4, 1, 5) }),
  ],
];

/** Compares over the lengths, of which some are empty. */
export async function compareEndings(runtime: Runtime, lengths: readonly number[]): Promise<void> {
  for (const [ir, valuesFor] of VALUES) {
    const parted = new Parted(check(ir));
    const made = new Map<PartedLoops, Executable>();
    for (const loops of [parted.items, parted.totals as PartedLoops]) {
      const { carried, carrying } = loops;
      made.set(loops, await runtime.compile(carried.pipeline, { carrying }));
    }
    const inputs = ir.nodes.flatMap((node) => (node.kind === "input" ? [node.name] : []));
    const takesBlocks = (_: number, loops: PartedLoops): boolean =>
      made.get(loops)?.plan.carries === "blocks";
    for (const n of lengths) {
      const values = valuesFor(n);
      const empty: PartPiece[] = [];
      const runPiece: RunPartPiece = (piece) => {
        const { loops, from, to, own } = piece;
        if (from === to) empty.push(piece);
        const cut = inputs.map((name) => [name, (values[name] as HostArray).subarray(from, to)]);
        const given = { ...values, ...Object.fromEntries(cut), ...own };
        return (made.get(loops) as Executable).run(given as never, { n: to - from });
      };
      const crew = { shares: [1, 2], runPiece, takesBlocks };
      const want = await parted.run(n, crew);
      expect(empty.length).toBe(1);
      const params = Object.fromEntries(Object.entries(values).filter(([, one]) => typeof one !== "object"));
      const got = await parted.run(n, { ...crew, params: params as never });
      expect(empty.length).toBe(ir === READING.ir ? 2 : 1);
      expect(got).toEqual(want);
    }
    for (const executable of made.values()) executable.dispose();
  }
}
