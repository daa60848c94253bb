import { anyOrder } from "@groupwise/testkit/conformance";
import { pocl } from "./support.ts";

anyOrder("OpenCL on PoCL", () => pocl());
