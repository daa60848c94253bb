import { isFullRun, recording } from "@groupwise/testkit/conformance";
import { onCpu } from "./cpu/runtime.ts";

// In other runs PoCL has the others, through the same runtime.
recording(
  "CUDA on the CPU",
  onCpu,
  (name) => isFullRun() || /^(?:.*count.*|.*slice.*|of more steps .*)$/.test(name),
);
