import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import walk from "./walk.mjs";

export default (device) => webgpuRuntime(device).compile(walk);
