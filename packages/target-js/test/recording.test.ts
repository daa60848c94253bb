import { recording } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { gpuJsRuntime } from "../src/gpu-js/runtime.ts";
import { jsRuntime } from "../src/runtime.ts";

recording("plain JavaScript", () => found(jsRuntime()));
recording("gpu.js", async () => found(await gpuJsRuntime()));
