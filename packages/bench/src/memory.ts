/** Scratch of primitives in bytes an item, as a GPU's runtime allocates it, beside the temporary storage of CUB. */
import {
  type EmitOptions,
  type Executable,
  explain,
  type PipelineSource,
  plan,
  type Runtime,
} from "@groupwise/core";
import type { Sides } from "@groupwise/core/target";
import type { PipelineDefinition } from "@groupwise/dsl";
import type { Prepared, Primitive } from "@groupwise/primitives";
import { cuda } from "@groupwise/target-cuda";
import { opencl } from "@groupwise/target-opencl";
import { wgsl } from "@groupwise/target-wgsl";
import type { Job } from "./primitives/job.ts";
import { JOBS } from "./primitives/jobs.ts";
import { MEMORY_JOBS, type Sized } from "./primitives/memory-jobs.ts";

type Gpu = "wgsl" | "opencl" | "cuda";

/** The options for a GPU with subgroups of 32 work-items whose scans look back. */
const GPUS: Readonly<Record<Gpu, readonly [Parameters<typeof plan>[1], EmitOptions]>> = {
  wgsl: [wgsl, { subgroups: 32, lookBack: true }],
  opencl: [opencl, { lookBack: true }],
  cuda: [cuda, {}],
};

/** A runtime that plans and has no device: its executables say how much scratch a device's take. */
function planningRuntime(target: Parameters<typeof plan>[1], options: EmitOptions): Runtime {
  const none = (): never => {
    throw new Error("nothing runs without a device");
  };
  const compile = async (source: PipelineSource): Promise<Executable> => {
    const made = plan(source, target, options);
    const scratchBytes = (sides: Sides): number => {
      const given = typeof sides === "number" ? { n: sides } : { globalSize: sides as readonly number[] };
      return explain(made, given).memory.scratch.value as number;
    };
    return { plan: made, scratchBytes, dispose: () => {} } as unknown as Executable;
  };
  const { capabilities } = target;
  return { capabilities, compile, array: none, record: none } as unknown as Runtime;
}

/** Elements of the inputs of a job that is timed. */
const sizesOf =
  ({ inputs }: Job) =>
  (n: number): Readonly<Record<string, number>> =>
    Object.fromEntries(
      inputs.flatMap(({ source, items, names = {} }) =>
        Object.keys(source.outputs).map((name) => [names[name] ?? name, items(n)]),
      ),
    );

/** Bytes that a job takes beside its inputs and outputs. */
async function scratchOf(runtime: Runtime, { what, sizes, numbers }: Sized, n: number): Promise<number> {
  const one = what as Primitive | PipelineDefinition;
  if (!("prepare" in one)) return (await runtime.compile(one)).scratchBytes(n);
  const prepared = (await one.prepare(runtime)) as Prepared;
  return prepared.scratchBytes(sizes(n), { ...numbers?.(n) } as never);
}

/** A primitive's scratch, in bytes an item. */
export interface MemoryRow extends Readonly<Record<Gpu, number>> {
  readonly name: string;
  /** Of CUB's, by name of its algorithm where it has one of several forms; empty where it has none. */
  readonly cub: readonly { readonly name: string; readonly bytes: number }[];
}

/** What CUB's own code asks for, from `peers/cub-memory.cu`. */
export interface CubMemory {
  readonly version: string;
  readonly device: string;
  readonly rows: readonly { readonly name: string; readonly n: number; readonly bytes: number }[];
}

/** One job for each primitive, and collectives on a type of each size: others differ in what they compute. */
const isListed = ({ name }: Job): boolean =>
  !/^math|^copy|^text|^exclusive|^merge| (max|min|mul) | (i32|i64|u64|f16)| by f32| descending$| of bits /.test(
    name,
  );
const LISTED: readonly Sized[] = [
  ...JOBS.filter(isListed).map((job) => ({ ...job, sizes: sizesOf(job) })),
  ...MEMORY_JOBS,
];

/**
 * @param n items, for which the bytes are divided
 * @param isChosen by the name of a job
 */
export async function memoryRows(
  n: number,
  peer: CubMemory,
  isChosen: (name: string) => boolean = () => true,
): Promise<readonly MemoryRow[]> {
  const runtimes = Object.entries(GPUS).map(
    ([name, [target, options]]) => [name, planningRuntime(target, options)] as const,
  );
  const rows: MemoryRow[] = [];
  for (const job of LISTED.filter(({ name }) => isChosen(name))) {
    const bytes = await Promise.all(
      runtimes.map(async ([name, runtime]) => [name, (await scratchOf(runtime, job, n)) / n] as const),
    );
    const cub = peer.rows
      .filter((row) => row.n === n && row.name.split(", ")[0] === job.name)
      .map(({ name, bytes: all }) => ({ name, bytes: all / n }));
    rows.push({ name: job.name, ...(Object.fromEntries(bytes) as Record<Gpu, number>), cub });
  }
  return rows;
}
