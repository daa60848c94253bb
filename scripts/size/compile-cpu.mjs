import { cpuRuntime } from "@groupwise/cpu";
import walk from "./walk.mjs";

export default () => cpuRuntime().compile(walk);
