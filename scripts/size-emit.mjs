// What a web page bundles to emit WGSL itself, with all lowerings; measured by size-limit.
export { emit } from "@groupwise/core";
export * from "./size-entry.mjs";
