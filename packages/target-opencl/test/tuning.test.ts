/** Measured sizes of tiles on PoCL: every size gives the bits of the reference. `runtime/test/tune-*.test.ts` have what is chosen. */
import type { Pipeline, Runtime } from "@groupwise/core";
import type { Tiles } from "@groupwise/core/target";
import { affine, f32, i64, pipeline, u32 } from "@groupwise/dsl";
import { runAll, tuningOf } from "@groupwise/testkit";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { describe, expect } from "vitest";
import { errorFrom, pocl } from "./support.ts";

const options = { places: false } as const;
/** Rounding shows the order; maps do not commute; i64 has rows of its own. */
const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ upTo: x.scanInclusive("add") }), options);
const maps = pipeline(
  "maps",
  { a: u32, b: u32 },
  (both) => {
    const all = affine(u32).scanExclusive(both);
    return { slope: all.a, offset: all.b };
  },
  options,
);
const totals = pipeline("totals", { x: i64 }, ({ x }) => ({ sum: x.reduce("add") }), options);

const EXTREMES: readonly [string, Tiles][] = [
  ["one work-item of 64 items", { tile: { workGroupSize: 1, itemsPerWorkItem: 64, reducedPerWorkItem: 1 } }],
  ["1,024 work-items of one item", { tile: { workGroupSize: 1024, itemsPerWorkItem: 1 } }],
  [
    "64 work-items of 16 items, 64 in reduces",
    { tile: { workGroupSize: 64, itemsPerWorkItem: 16, reducedPerWorkItem: 64 } },
  ],
];

/** Outside of full runs one of them for each size, by turns. */
const TRIED = [maps, totals, sums];
const N = 9973;
async function differencesOn(runtime: Runtime, ir: Pipeline, tiles: Tiles): Promise<string[]> {
  const executable = await runtime.compile(ir);
  expect(executable.plan.capabilities.tile).toEqual(tiles.tile);
  const found = await runAll(executable, ir, [0, 1, N]);
  executable.dispose();
  return found;
}

// Outside of full runs one: `runtime/test/tuning.test.ts` has the rows, and the interpreter of kernels tiles of any size.
describe.each(isFullRun() ? EXTREMES : EXTREMES.slice(1, 2))("tiles of %s", (name, tiles) => {
  const turn = EXTREMES.findIndex(([one]) => one === name);
  const tried = TRIED.filter((_, i) => isFullRun() || i === turn);
  deviceTest("give the bits of the reference", pocl, async (untuned) => {
    const tuning = tuningOf(untuned.device, tiles);
    const usual = untuned.capabilities.tile;
    untuned.dispose();
    const opened = await pocl({ tuning });
    if (!opened.found) throw new Error(opened.reason);
    const runtime = opened.value;
    for (const { ir } of tried) expect(await differencesOn(runtime, ir, tiles)).toEqual([]);
    expect(runtime.capabilities.tile).toEqual(usual);
    runtime.dispose();
  });
});

describe("a tuning", () => {
  const tiles: Tiles = { tile: { workGroupSize: 64, itemsPerWorkItem: 2 } };
  deviceTest("of other hardware is refused", pocl, async (runtime) => {
    const tuning = tuningOf({ ...runtime.device, hardware: "another" }, tiles);
    expect((await errorFrom(() => pocl({ tuning }))).code).toBe("foreign-tuning");
    runtime.dispose();
  });
});

describe("the device's clock", () => {
  deviceTest(
    "measures what is queued meanwhile, and reports its errors",
    () => pocl({ profiling: true }),
    async (runtime) => {
      const executable = await runtime.compile(pipeline("next", { x: u32 }, ({ x }) => ({ y: x.add(1) })));
      const [x, y] = [runtime.array("u32", N), runtime.array("u32", N)];
      const work = (): Promise<void> => runtime.record().run(executable, { x, y }, { n: N }).submit();
      const time = await runtime.deviceTime?.(work);
      expect([(time?.milliseconds ?? -1) >= 0, typeof time?.waited]).toEqual([true, "boolean"]);
      const failure = new Error("this one");
      await expect(runtime.deviceTime?.(() => Promise.reject(failure))).rejects.toBe(failure);
      runtime.dispose();
      expect((await errorFrom(() => runtime.deviceTime?.(work))).code).toBe("disposed");
    },
  );
  deviceTest("is absent where the queue records no times", pocl, async (runtime) => {
    expect(runtime.deviceTime).toBeUndefined();
    runtime.dispose();
  });
});
