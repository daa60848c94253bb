export { load } from "@groupwise/target-wgsl/runtime";
