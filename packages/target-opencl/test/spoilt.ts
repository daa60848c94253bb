/** A text whose native part says something else: the result shows which part was compiled. */
import { type Artifact, emit } from "@groupwise/core";
import { pipeline, u32 } from "@groupwise/dsl";
import { opencl } from "../src/index.ts";
import type { OpenClRuntime } from "../src/runtime.ts";

const sum = pipeline("sum", { x: u32 }, ({ x }) => ({ sum: x.reduce("add", { scope: "work-group" }) }), {
  workGroupSize: 64,
  places: false,
});

export function spoilt(): Artifact {
  const artifact = emit(sum, opencl);
  const files = artifact.files.map(({ path, text }) => ({
    path,
    text: text.replace("= work_group_reduce_add(", "= 1000u + work_group_reduce_add("),
  }));
  return { ...artifact, files };
}

/** The sum of 64 ones; 1000 more where the native part was compiled. */
export async function spoiltResult(runtime: OpenClRuntime): Promise<number> {
  const program = await runtime.load(spoilt());
  const { sum: total } = await program.run({ x: new Uint32Array(64).fill(1) });
  program.dispose();
  return Number(total?.[0]);
}
