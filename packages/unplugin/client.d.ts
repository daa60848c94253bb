/** The types of `import … from "./scan.ts?groupwise"`: list `@groupwise/unplugin/client` under `types` of tsconfig.json. */

declare module "*?groupwise" {
  import type { Manifest } from "@groupwise/core";
  import type { WgslProgram } from "@groupwise/target-wgsl/runtime";

  /** The arrays, sizes and passes of the emitted WGSL. */
  export const manifest: Manifest;

  /**
   * Loads the emitted WGSL for a device, as `load` of `@groupwise/target-wgsl/runtime`: `load<typeof scan>(device)` has the names and types of
   * the pipeline, of which `import type scan from "./scan.ts"` is enough.
   */
  export default function load<P = unknown>(device: GPUDevice, name?: string): Promise<WgslProgram<P>>;
}

declare module "*?groupwise&target=wgsl" {
  export { default, manifest } from "pipeline?groupwise";
}

declare module "*&groupwise" {
  export { default, manifest } from "pipeline?groupwise";
}

declare module "*&groupwise&target=wgsl" {
  export { default, manifest } from "pipeline?groupwise";
}

declare module "*?groupwise&target=js" {
  import type { LoadedProgram, Manifest } from "@groupwise/core";

  /** The arrays and sizes of the emitted JavaScript. */
  export const manifest: Manifest;

  /** Loads the emitted JavaScript, as `load` of `@groupwise/target-js/runtime`: `load<typeof scan>()` has the names and types of the pipeline. */
  export default function load<P = unknown>(): LoadedProgram<P>;
}

declare module "*&groupwise&target=js" {
  export { default, manifest } from "pipeline?groupwise&target=js";
}
