/** Tuning by the clock of CUDA's events, over the driver on the CPU. */
import { tune } from "@groupwise/core/tuning";
import { deviceTest, inFullRuns } from "@groupwise/testkit/conformance";
import { expect } from "vitest";
import { cuda } from "../src/index.ts";
import { onCpu } from "./cpu/runtime.ts";

deviceTest(
  "tune measures the default sizes and others, and leaves out what there is no time for",
  inFullRuns("`runtime/test/tune-*.test.ts` have the clock and the contest without a device", () =>
    onCpu({ profiling: true }),
  ),
  async (runtime) => {
    const steps: string[] = [];
    const report = await tune(runtime, cuda, {
      ...{ kinds: ["scan", "reduce"], types: ["u32"], sizes: [3000], seconds: 10 },
      ...{ now: () => performance.now(), say: (line) => steps.push(line) },
    });
    expect(report.clock).toBe("device");
    expect(steps[0]).toBe("scan of 3000 u32 (1 of 2)");
    expect(report.sizes.length + report.leftOut.length).toBe(2);
    expect(report.sizes.flatMap(({ excluded }) => excluded)).toEqual([]);
    for (const { default: usual } of report.sizes) expect(usual.medianMs).toBeGreaterThan(0);
  },
);
