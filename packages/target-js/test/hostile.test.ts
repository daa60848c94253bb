import { hostile } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { gpuJsRuntime } from "../src/gpu-js/runtime.ts";
import { jsRuntime } from "../src/runtime.ts";

hostile("plain JavaScript", () => found(jsRuntime()));
hostile("gpu.js", async () => found(await gpuJsRuntime()));
