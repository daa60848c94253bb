/**
 * Runs emitted WGSL on a GPUDevice.
 * @module
 */
export {};
