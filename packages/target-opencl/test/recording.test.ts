import { isFullRun, recording } from "@groupwise/testkit/conformance";
import { pocl } from "./support.ts";

// In other runs lavapipe has a scan, and the pipelines that stay take the same ways.
recording(
  "OpenCL on PoCL",
  () => pocl(),
  (name) =>
    isFullRun() ||
    !/in place: (a map of halves|a map of bytes|a scan|a scan of work-groups|two of two)$/.test(name),
);
