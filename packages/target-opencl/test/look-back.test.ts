/** Scans in one pass through work-group memory, forced on PoCL: stalls, levels of slots, changing sizes, and the suite. */
import type { Pipeline } from "@groupwise/core";
import { i64, pipeline } from "@groupwise/dsl";
import { mapsInOnePass as maps, namedCase, runAll, sumsInOnePass as sums } from "@groupwise/testkit";
import { conformance, deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { describe, expect } from "vitest";
import { KINDS } from "../src/print/capabilities.ts";
import type { OpenClRuntime } from "../src/runtime.ts";
import { poclLookingBack } from "./support.ts";

/** Conditions that work-items hold as bits, and a total that the last tile leaves. */
const kept = namedCase("kept");
/** A count of segments, and what it shares with their values. */
const combined = namedCase("runs-combined");

const TILE = 4096;

/** Where the outputs of runs of one compiled pipeline differ from the reference's. */
async function differencesOn(runtime: OpenClRuntime, ir: Pipeline, sizes: readonly number[]) {
  const program = await runtime.compile(ir);
  expect(program.plan.strategy).toBe("look-back");
  const found = await runAll(program, ir, sizes);
  program.dispose();
  return found;
}

/** Sums of one value of 64 bits, in the tiles that NVIDIA's compiler is given for them. */
const wide = pipeline("wide", { x: i64 }, ({ x }) => ({ upTo: x.scanInclusive("add") }), { places: false });
deviceTest(
  "tiles of wide values have sizes of their own",
  () => poclLookingBack({ workGroupSize: 256, kinds: KINDS, withheld: [1], polls: 2 }),
  async (device) => {
    const program = await device.compile(wide.ir);
    expect(program.manifest.passes.map(({ workGroupSize }) => workGroupSize)).toEqual([128, 128]);
    program.dispose();
    expect(
      await differencesOn(device, wide.ir, [TILE - 1, 3 * TILE, ...(isFullRun() ? [34 * TILE + 17] : [])]),
    ).toEqual([]);
  },
);

describe("one compiled pipeline", () => {
  const some = [TILE - 1, 0, 5 * TILE + 17];
  // Around the first block of 32 tiles, where the tail reads the slot of a block: the interpreter of kernels has it in every run.
  const full = [32 * TILE, 33 * TILE + 17, TILE, 1, 32 * TILE - 1, 32 * TILE + 1, 9973];
  const sizes = isFullRun() ? [...some, ...full] : some;
  for (const { ir } of isFullRun() ? [sums, maps, kept, combined] : [sums])
    deviceTest(`${ir.name}: runs with changing n`, poclLookingBack, async (device) => {
      expect(await differencesOn(device, ir, sizes)).toEqual([]);
    });
});

/** Checks of scans over the range: the kernels of the others are those of PoCL without look-back. */
const OF_SCANS = /device collective|scan|prefix|compact|affine|kept|runs|line-index/;
conformance("PoCL, looking back", () => poclLookingBack(), {
  slowCompiler: true,
  effort: "quick",
  share: "few",
  fullShare: "sample",
  // Outside of full runs the one that has a total beside its scan.
  only: (name) => (isFullRun() ? OF_SCANS : /^kept:/).test(name),
});
