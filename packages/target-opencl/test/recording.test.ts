import { recording } from "@groupwise/testkit/conformance";
import { pocl } from "./support.ts";

recording("OpenCL on PoCL", () => pocl());
