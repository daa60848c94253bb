/** Runtimes with a tuning file, which observe how many pipelines have its sizes. */
import { readFileSync } from "node:fs";
import type { Executable, Runtime, Tuning } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { parseTuning } from "@groupwise/core/tuning";

/** A tuning file, and the number of items whose rows apply. */
export interface TuningChoice {
  readonly path: string;
  /** By default the rows without an upper limit. */
  readonly items?: number | undefined;
}

/** @throws GroupwiseError `missing-file`, `bad-tuning`, `bad-version` */
export function readTuning({ path }: TuningChoice): Tuning {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw errorOf("missing-file", { path, reason: (error as Error).message }, path, error);
  }
  return parseTuning(text);
}

/** What was compiled. */
export interface TunedCount {
  /** Pipelines with sizes of the tuning. */
  readonly tuned: number;
  readonly compiled: number;
}

const sizesOf = ({ tile, lookBack }: Runtime["capabilities"]): string => JSON.stringify([tile, lookBack]);

/** A runtime that compiles for a number of items, and counts. */
export function counted(
  runtime: Runtime,
  items: number | undefined,
): { readonly compiling: Runtime; readonly count: () => TunedCount } {
  const [all, tuned] = [new Set<string>(), new Set<string>()];
  const compile = async (...[source, options]: Parameters<Runtime["compile"]>): Promise<Executable> => {
    const executable = await runtime.compile(source, { ...options, ...(items !== undefined && { items }) });
    const { plan, manifest } = executable;
    const key = JSON.stringify([manifest.pipeline, plan.checked.pipeline]);
    all.add(key);
    // A test of the device may have changed other capabilities meanwhile.
    if (sizesOf(plan.capabilities) !== sizesOf(runtime.capabilities)) tuned.add(key);
    return executable;
  };
  return {
    compiling: Object.create(runtime, { compile: { value: compile } }),
    count: () => ({ tuned: tuned.size, compiled: all.size }),
  };
}
