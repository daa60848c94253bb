import type { Runtime } from "@groupwise/core";
import { conformance } from "@groupwise/testkit/conformance";
import { type Found, found } from "@groupwise/testkit/devices";
import { type GpuJsMode, gpuJsRuntime } from "../src/gpu-js/runtime.ts";

const open = (mode: GpuJsMode) => async (): Promise<Found<Runtime>> => found(await gpuJsRuntime({ mode }));

conformance("gpu.js in its cpu mode", open("cpu"), { slow: true });
conformance("gpu.js in its webasm mode", open("webasm"), { slow: true, share: "few", fullShare: "sample" });
