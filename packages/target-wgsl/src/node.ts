/**
 * WebGPU in Node: opens a `GPUDevice` for `webgpuRuntime`.
 * @module
 */
export { nodeDevice } from "./device/node/device.ts";
export type { NodeDeviceOptions } from "./device/node/options.ts";
