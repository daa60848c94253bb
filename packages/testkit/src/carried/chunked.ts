/** Pipelines in chunks, from state to state, and what a run over the whole range returns. */
import {
  check,
  GroupwiseError,
  type HostArray,
  type Pipeline,
  type RunOutputs,
  type Runtime,
} from "@groupwise/core";
import {
  type ChunkRuntimes,
  decodeState,
  divisionOf,
  encodeState,
  type State,
  stepper,
} from "@groupwise/core/state";
import { joined } from "../data/arrays.ts";
import { sinksOf, withOutputs, withoutDead } from "../data/parts.ts";
import { valuesOf } from "../random/make/case.ts";
import { pipelineCase } from "../random/make/pipelines.ts";
import { whyUnsound } from "../random/sound.ts";
import { carriable } from "./carriable.ts";

type Values = Readonly<Record<string, unknown>>;
/** Random cuts of n items, with chunks of 0 and 1 items. */
export function cutsOf(n: number, seed: number): readonly number[] {
  const at = (i: number): number => Math.floor((Math.abs(Math.sin(seed * 7 + i) * 1e4) % 1) * (n + 1));
  const some = Array.from({ length: seed % 4 }, (_, i) => at(i));
  return [0, 0, Math.min(1, n), ...some, n].sort((a, b) => a - b);
}

/**
 * The outputs of consecutive chunks, joined. Each state between two of them is encoded and decoded, as when a stream is resumed.
 * @param runtimes one, or several that take chunks in turn
 */
export async function inChunks(
  runtimes: Runtime | ChunkRuntimes | readonly Runtime[],
  ir: Pipeline,
  values: Values,
  cuts: readonly number[],
): Promise<RunOutputs> {
  const names = check(ir).inputs.map(({ name }) => name);
  const several = Array.isArray(runtimes) ? (runtimes as Runtime[]) : [runtimes as Runtime];
  const all = await Promise.all(several.map((runtime) => stepper(runtime, ir)));
  const parts: Record<string, HostArray>[] = [];
  let state: State | undefined;
  for (const [i, from] of cuts.slice(0, -1).entries()) {
    const cut = names.map((name) => [name, (values[name] as HostArray).subarray(from, cuts[i + 1])]);
    const steps = all[i % all.length] as (typeof all)[number];
    const given = { ...values, ...Object.fromEntries(cut) } as never;
    const step = await steps.step(given, { state: state ?? steps.start });
    parts.push(step.outputs as Record<string, HostArray>);
    state = decodeState(encodeState(step.state));
  }
  for (const steps of all) steps.dispose();
  return joinedOutputs(ir, parts);
}

/** The outputs of consecutive chunks: those of items joined, and others of the last chunk. */
export function joinedOutputs(ir: Pipeline, parts: readonly RunOutputs[]): RunOutputs {
  const { sinks, uniformities } = check(ir);
  return Object.fromEntries(
    sinks.map(({ id, name }) => {
      const arrays = parts.map((part) => part[name] as HostArray);
      return [name, uniformities[id] === "item" ? joined(arrays) : (arrays.at(-1) as HostArray)];
    }),
  );
}

/** The outputs of a run over the whole range. */
export async function inOneRun(
  runtime: Runtime,
  ir: Pipeline,
  values: Values,
  n?: number,
): Promise<RunOutputs> {
  const executable = await runtime.compile(ir);
  const outputs = await executable.run(values as never, n === undefined ? {} : { n });
  executable.dispose();
  return outputs as RunOutputs;
}

/** A random pipeline that chunks compute in one round. */
export interface ChunkedCase {
  readonly ir: Pipeline;
  readonly values: Values;
  readonly n: number;
  /** How parts of it depend on one another; `whole`: a chunk is not divided. */
  readonly kind: "map" | "reduce" | "scan" | "whole";
}

const unlessRefused = async <T>(make: () => T | Promise<T>): Promise<T | undefined> => {
  try {
    return await make();
  } catch (error) {
    if (error instanceof GroupwiseError && error.code === "not-carried") return undefined;
    throw error;
  }
};

/**
 * A few outputs of a random pipeline of one dimension, with values among which are subnormals and NaN; undefined if the seeds
 * have none with inputs whose every bit is defined.
 */
export async function inputCase(name: string, seed: number): Promise<Omit<ChunkedCase, "kind"> | undefined> {
  const { pipeline: made, run } = pipelineCase(seed % 4 ? "small" : "large", name, seed);
  if (made.workGroupSize.length > 1) return undefined;
  const all = carriable(made);
  const names = sinksOf(all);
  const first = seed % names.length;
  const ir = withoutDead(withOutputs(all, new Set(names.slice(first, first + 1 + (seed % 3)))));
  if (check(ir).inputs.length === 0) return undefined;
  const { globalOffset: _, ...rest } = run;
  const [n = 0] = run.globalSize;
  // The value of a single item is an error over no items.
  if (n === 0 && ir.nodes.some(({ kind }) => kind === "broadcast" || kind === "gather")) return undefined;
  const one = { pipeline: ir, run: rest };
  return (await whyUnsound(one)) === undefined ? { ir, values: valuesOf(one).values, n } : undefined;
}

/** The case of a seed; undefined if it has none. @param runtime any that supports states */
export async function chunkedCase(runtime: Runtime, seed: number): Promise<ChunkedCase | undefined> {
  const made = await inputCase("parts", seed);
  if (!made) return undefined;
  const { ir } = made;
  const steps = await unlessRefused(() => stepper(runtime, ir));
  steps?.dispose();
  const kind = (await unlessRefused(() => divisionOf(ir))) ?? "whole";
  return steps && { ...made, kind };
}
