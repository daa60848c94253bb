/** For the testkit, which chooses the drivers itself: no part of the public API. */
export { adapterNames } from "../node/dawn.ts";
export { openDevice } from "../node/device.ts";
export { browserDrivers, installedDrivers, swiftShader } from "../node/environment.ts";
export type { NodeDeviceOptions } from "../node/options.ts";
