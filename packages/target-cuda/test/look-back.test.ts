/** Scans in one pass on several threads of the CPU: work-groups that wait, tiles that are never published, levels of slots. */
import { mapsInOnePass as maps, namedCase, runAll, sumsInOnePass as sums } from "@groupwise/testkit";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { expect } from "vitest";
import { CUDA_CAPABILITIES } from "../src/index.ts";
import { onCpu } from "./cpu/runtime.ts";

/** Of 32 work-items, each with four items. */
const TILE = 128;
const SHAPE = { workGroupSize: 32, rows: 1, groups: 3, slotRows: true } as const;
/** Around the first block of 32 tiles, and past the first of 32 blocks. */
const SIZES = [0, TILE - 1, 33 * TILE + 17, ...(isFullRun() ? [32 * TILE - 1, 1025 * TILE + 9] : [])];

for (const { ir } of isFullRun() ? [sums, maps, namedCase("kept"), namedCase("runs-combined")] : [sums])
  for (const withheld of [[], [1, 2, 40]])
    deviceTest(
      `${ir.name}: ${withheld.length > 0 ? "computes what is not published" : "waits for what is"}`,
      () => {
        const polls = withheld.length > 0 ? 2 : 4096;
        return onCpu({ capabilities: { ...CUDA_CAPABILITIES, lookBack: { ...SHAPE, polls, withheld } } });
      },
      async (device) => {
        const program = await device.compile(ir);
        expect(program.plan.strategy).toBe("look-back");
        expect(await runAll(program, ir, SIZES)).toEqual([]);
        program.dispose();
      },
    );
