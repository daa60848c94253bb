/** For the testkit, which opens Dawn in its own ways: no part of the public API. */
export { installedDrivers, swiftShader } from "./environment.ts";
export { type Quietly, quieter } from "./quiet.ts";
