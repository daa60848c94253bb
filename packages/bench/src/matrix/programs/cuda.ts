/** The first CUDA device. */
import { cudaRuntime } from "@groupwise/target-cuda/runtime";
import { serve } from "./serve.ts";

await serve((options) => cudaRuntime(options));
