import { hostile } from "@groupwise/testkit/conformance";
import { pocl } from "./support.ts";

hostile("OpenCL on PoCL", () => pocl());
