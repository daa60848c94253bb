/** The first OpenCL device of the only driver that the environment names. */
import { openclRuntime } from "@groupwise/target-opencl/runtime";
import { serve } from "./serve.ts";

await serve((options) => openclRuntime(options));
