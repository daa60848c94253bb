/** The suite with scans in one pass, on a device where they do not pay. */
import { conformance, isFullRun } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { dawn, lookingBack } from "./devices.ts";

/** Beginnings of the names of checks without a scan of the range: their kernels are those of the other runs. */
const WITHOUT_SCANS = [
  "every work-group collective",
  "the laws of work-group",
  "broadcasts of every type",
  "every element-wise operator",
  "hard and random pairs",
  "each of the 65,536 values",
  "work-groups as large",
  "the work-item functions",
];

/** Outside of full runs a compaction. Oclgrind and `look-back.test.ts` have sums, `lower/test/look-back-kinds.test.ts` records. */
const FEW = /^kept:/;

conformance(
  "WGSL on SwiftShader, looking back",
  async () => {
    const device = await dawn({ adapter: "swiftshader" });
    return device.found ? found(lookingBack(device.value)) : device;
  },
  {
    effort: "quick",
    slowCompiler: true,
    share: "few",
    fullShare: "sample",
    only: (name) => (isFullRun() || FEW.test(name)) && !WITHOUT_SCANS.some((start) => name.startsWith(start)),
  },
);
