/**
 * WebGPU in Node: opens a `GPUDevice` for `webgpuRuntime`.
 * @module
 */
export { nodeDevice } from "./node/device.ts";
export type { NodeDeviceOptions } from "./node/options.ts";
