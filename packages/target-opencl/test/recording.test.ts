import { isFullRun, recording } from "@groupwise/testkit/conformance";
import { pocl } from "./support.ts";

// In other runs a scan of words, and lavapipe, take the same ways.
recording(
  "OpenCL on PoCL",
  () => pocl(),
  (name) => isFullRun() || !/in place: (a scan|a scan of work-groups|two of two)$/.test(name),
);
