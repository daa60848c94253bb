/** Pipelines with more arrays than WebGPU's default limit of a pass, 8. */
import { type EmitOptions, emit, type Pipeline, type PipelineSource } from "@groupwise/core";
import { bool, f32, operators, outputs, param, pipeline, u32 } from "@groupwise/dsl";
import { CASES } from "@groupwise/testkit";
import { deviceTest, isFullRun, onlyInFullRuns } from "@groupwise/testkit/conformance";
import { checkWithTint, formatReports } from "@groupwise/testkit/devices";
import { expect, test } from "vitest";
import { wgsl } from "../src/index.ts";
import { dawn } from "./devices.ts";

const LIMIT = 8;
const options = { places: false } as const;
/** The README's. */
const sales = pipeline(
  "sales",
  { shop: u32, price: f32 },
  ({ shop, price }, { index }) => {
    const best = operators.argmax(f32).reduce({ value: price, index: index() });
    const fading = { a: f32(0.9).perItem(), b: price.mul(0.1) };
    return {
      ...outputs({ best }),
      trend: operators.affine(f32).scanInclusive(fading).b,
      ofShop: price.reduce("add", { keys: shop }),
      left: price.scanExclusive("add", { keys: shop, reverse: true }),
      stock: u32(1).perItem().scanExclusive("add", { seed: 100 }),
    };
  },
  options,
);
/** Five scans in one pass, which the device compiles quickly. */
const several = pipeline(
  "several",
  { x: u32 },
  ({ x }) => {
    const sums = x.scanExclusive("add").add(x.scanExclusive("xor"));
    return {
      y: sums.add(x.scanInclusive("max").xor(x.scanInclusive("or"))).add(x.scanInclusive("mul")),
      ...{ a: x.and(1), b: x.and(2), c: x.and(4) },
    };
  },
  options,
);

const arraysOf = (source: PipelineSource, how: EmitOptions = {}): number =>
  Math.max(...emit(source, wgsl, how).manifest.passes.map(({ bindings }) => bindings.length));

test("scratch of passes with many collectives is one array", () => {
  expect(arraysOf(sales)).toBeLessThanOrEqual(LIMIT);
  expect(arraysOf(several)).toBeLessThanOrEqual(LIMIT);
});

/** The cases of which a pass has more, whose work-groups speak to one another or whose work-items read what others write. */
const CROWDED: readonly (readonly [string, EmitOptions, readonly string[]])[] = [
  ["by default", {}, ["ranked-types"]],
  ["with look-back", { lookBack: true, subgroups: 32 }, ["narrow-scans", "ranked-types", "kept-of-types"]],
];
test.for(CROWDED)("passes are divided by their outputs, %s", ([, how, crowded], context) => {
  if (how.lookBack) onlyInFullRuns(context, "kernels that look back are not divided");
  // Emitting all takes the time: outside of full runs those with as many arrays of callers.
  const isMany = ({ nodes }: Pipeline): boolean =>
    nodes.filter(({ kind }) => /^(input|output|scatter)$/.test(kind)).length >= LIMIT;
  const tried = CASES.filter(({ ir }) => isFullRun() || isMany(ir));
  const found = tried.filter(({ ir }) => arraysOf(ir, how) > LIMIT).map(({ ir }) => ir.name);
  expect(found).toEqual(crowded);
});

/** A slot is written by a function, which a part of the pass that writes other arrays must not call. */
const written = pipeline(
  "written",
  { p: bool, t: bool, k: u32, room: param(u32) },
  ({ p, t, k, room }, { index, size }) => {
    const where = p.and(p);
    const last = size().sub(1).sub(index());
    const power = k.and(15).toF32().exp2().toU32();
    return {
      ...{ where, p2: p.not() },
      moved: t.scatter({ to: last }),
      most: last.scatter({ to: index().rem(6), where, capacity: room.add(6), combine: "max" }),
      least: power.scanInclusive("add").min(power),
    };
  },
  options,
);
deviceTest(
  "parts of a pass call only what writes their arrays",
  () => dawn(),
  async (device) => {
    const [file] = emit(written, wgsl).files;
    expect(file?.text).toMatch(/^fn put\(/m);
    expect(arraysOf(written)).toBeLessThanOrEqual(LIMIT);
    const reports = await checkWithTint(device, [{ name: "written", code: file?.text ?? "" }]);
    expect(formatReports(reports)).toBe("");
  },
);
