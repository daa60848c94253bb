import { wasmRuntime } from "@groupwise/target-wasm/runtime";
import walk from "./walk.mjs";

export default () => wasmRuntime().compile(walk);
