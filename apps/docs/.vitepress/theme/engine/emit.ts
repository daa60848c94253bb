/** The text of a pipeline in a language. Each printer is loaded when its language is first asked for. */
import { type Checked, plan, type Target } from "@groupwise/core";
import type { Emitted, Language } from "./messages.ts";
import { problemOf } from "./problem.ts";

const TARGETS: Readonly<Record<Language, () => Promise<Target>>> = {
  wgsl: async () => (await import("@groupwise/target-wgsl")).wgsl,
  opencl: async () => (await import("@groupwise/target-opencl")).opencl,
  cuda: async () => (await import("@groupwise/target-cuda")).cuda,
  c: async () => (await import("@groupwise/target-c")).c,
  wasm: async () => (await import("@groupwise/target-wasm")).wasm,
  js: async () => (await import("@groupwise/target-js")).js,
};

/** The file for people of what a target emits, or why it refuses the pipeline. */
export async function emitText(source: Checked, language: Language): Promise<Emitted> {
  const target = await TARGETS[language]();
  try {
    const { files } = target.print(plan(source.pipeline, target), {});
    const file = files.find(({ path }) => path.endsWith(".wat")) ?? files[0];
    return { text: file?.text ?? "", file: file?.path ?? "" };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}
