import { anyOrder } from "@groupwise/testkit/conformance";
import { pocl, poclInChunks } from "./support.ts";

anyOrder("OpenCL on PoCL", () => pocl());
anyOrder("OpenCL on PoCL in short chunks", () => poclInChunks({ most: 16, least: 8 }));
