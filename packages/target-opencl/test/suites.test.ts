/** The suites of every runtime, on PoCL. */
import { anyOrder, hostile, isFullRun, recording } from "@groupwise/testkit/conformance";
import { pocl, poclInChunks } from "./support.ts";

hostile("OpenCL on PoCL", () => pocl());
// In other runs lavapipe has a scan, JavaScript scalars of all types, the pipelines that stay take the same ways, and zeros of OpenCL end at any byte.
recording(
  "OpenCL on PoCL",
  () => pocl(),
  (name) =>
    isFullRun() ||
    !/^scatters of narrow|^scalar outputs of (?!i64)|in place: (a map of halves|a map of bytes|a scan|a scan of work-groups|two of two)$/.test(
      name,
    ),
);
// In other runs JavaScript has the bound, and what stands beside such sums.
if (isFullRun()) {
  anyOrder("OpenCL on PoCL", () => pocl());
  anyOrder("OpenCL on PoCL in short chunks", () => poclInChunks({ most: 16, least: 8 }));
}
