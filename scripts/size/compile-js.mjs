import { jsRuntime } from "@groupwise/target-js/runtime";
import walk from "./walk.mjs";

export default () => jsRuntime().compile(walk);
