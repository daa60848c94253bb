// Emits WGSL itself, with all lowerings.
export { emit } from "@groupwise/core";
export * from "./declare.mjs";
