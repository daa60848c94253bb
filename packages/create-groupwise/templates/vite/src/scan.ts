import { load, type WgslProgram } from "@groupwise/target-wgsl/runtime";
import text from "./made/walk.wgsl?raw";
import manifest from "./made/walk.wgsl.json?raw";
import type walk from "./walk.ts";

/** The emitted pipeline, ready for a device. Nothing that lowers or emits is part of the app. */
export const loadWalk = (device: GPUDevice): Promise<WgslProgram<typeof walk>> =>
  load<typeof walk>(device, { manifest: JSON.parse(manifest), files: [{ path: "walk.wgsl", text }] });
