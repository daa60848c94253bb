/** Scans in one pass on several threads of the CPU: work-groups that wait, tiles that are never published, levels of slots. */
import { check } from "@groupwise/core";
import {
  difference,
  expected,
  mapsInOnePass as maps,
  mixedData,
  namedCase,
  sumsInOnePass as sums,
} from "@groupwise/testkit";
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
        const checked = check(ir);
        const program = await device.compile(ir);
        expect(program.plan.strategy).toBe("look-back");
        for (const n of SIZES) {
          const values = Object.fromEntries(
            checked.inputs.map(({ name, type }) => [name, mixedData(type, n, `${name} ${n}`)]),
          );
          const got = await program.run(values, { n });
          const want = expected(checked, values, { n });
          for (const { id, name } of checked.sinks)
            expect(difference(checked.types[id] as never, got[name], want[name] as never)).toBeUndefined();
        }
        program.dispose();
      },
    );
