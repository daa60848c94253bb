import { anyOrder, isFullRun } from "@groupwise/testkit/conformance";
import { pocl, poclInChunks } from "./support.ts";

// JavaScript has the bound in every run.
const types = isFullRun() ? undefined : [];
anyOrder("OpenCL on PoCL", () => pocl(), types);
// In other runs JavaScript and C have chunks.
if (isFullRun())
  anyOrder("OpenCL on PoCL in short chunks", () => poclInChunks({ most: 16, least: 8 }), types);
