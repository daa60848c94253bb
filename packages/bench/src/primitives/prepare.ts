/** Jobs on their inputs, compiled and ready to run. */
import type { DeviceArray, Runtime } from "@groupwise/core";
import type { PipelineDefinition } from "@groupwise/dsl";
import type { Prepared, Primitive, Temporaries } from "@groupwise/primitives";
import type { Job } from "./job.ts";

type Arrays = Record<string, DeviceArray>;

/** Makes the inputs on the device. */
async function make(runtime: Runtime, job: Job, n: number, arrays: Arrays): Promise<void> {
  for (const { source, items, names = {} } of job.inputs) {
    const executable = await runtime.compile(source);
    const own = Object.fromEntries(
      Object.entries(source.outputs).map(([name, type]) => [name, runtime.array(type, items(n))]),
    );
    for (const [name, array] of Object.entries(own)) arrays[names[name] ?? name] = array;
    await runtime
      .record()
      .run(
        executable,
        { ...own, ...(Object.hasOwn(source.params, "items") && { items: n }) },
        { n: items(n) },
      )
      .submit();
    executable.dispose();
  }
}

interface Work {
  /** Records the work a number of times. The result submits the recording, once. */
  record(recordings: number): () => Promise<void>;
  dispose(): void;
}

/** A job on its inputs. */
export interface PreparedJob extends Work {
  /** Describes what is wrong with the result of the last submission. */
  check(): Promise<string | undefined>;
  /** Bytes of the inputs, and of the outputs as far as they are valid after the last submission. */
  bytes(): Promise<number>;
  /** The strategies of its pipelines, in alphabetical order. */
  readonly strategies: readonly string[];
}

/** A runtime that notes the strategies of what it compiles. */
function observed(runtime: Runtime): { readonly compiling: Runtime; readonly strategies: Set<string> } {
  const strategies = new Set<string>();
  const compile = async (...given: Parameters<Runtime["compile"]>) => {
    const executable = await runtime.compile(...given);
    strategies.add(executable.plan.strategy);
    return executable;
  };
  return { compiling: Object.create(runtime, { compile: { value: compile } }), strategies };
}

/** Compiles a job, and makes its inputs on the device. */
export async function prepare(runtime: Runtime, job: Job, n: number): Promise<PreparedJob> {
  const { what, outputs, numbers } = job;
  const arrays: Arrays = {};
  const lengths = Object.entries(outputs(n));
  const { compiling, strategies } = observed(runtime);
  for (const [name, length] of lengths) {
    const type = (what.outputs as Readonly<Record<string, "u32">>)[name] as "u32";
    arrays[name] = runtime.array(type, length);
  }
  const work =
    "prepare" in what
      ? await steps(compiling, what as unknown as Primitive, { n, ...numbers?.(n) }, arrays)
      : await onePipeline(compiling, what as unknown as PipelineDefinition, n, arrays);
  await make(runtime, job, n, arrays);
  const read = async (name: string, length?: number): Promise<Uint32Array> => {
    const array = arrays[name] as DeviceArray;
    return (await (length === undefined ? array : array.slice(0, length)).read()) as Uint32Array;
  };
  return {
    record: work.record,
    check: () => job.check(n, read),
    // Outputs whose length is counted are arrays of the greatest length.
    bytes: async () => {
      const [count = Number.POSITIVE_INFINITY] = "count" in arrays ? await read("count") : [];
      const counted = new Set(lengths.map(([name]) => name));
      const sizes = Object.entries(arrays).map(([name, { length, byteLength }]) =>
        counted.has(name) ? byteLength * (Math.min(length, count) / length) : byteLength,
      );
      return sizes.reduce((sum, size) => sum + size, 0);
    },
    strategies: [...strategies].sort(),
    dispose: () => {
      work.dispose();
      for (const array of Object.values(arrays)) array.dispose();
    },
  };
}

function repeated(
  runtime: Runtime,
  record: (recorder: ReturnType<Runtime["record"]>) => void,
  count: number,
): () => Promise<void> {
  const recorder = runtime.record();
  for (let i = 0; i < count; i++) record(recorder);
  return () => recorder.submit();
}

async function steps(
  runtime: Runtime,
  what: Primitive,
  options: Readonly<Record<string, number>>,
  arrays: Arrays,
): Promise<Work> {
  const prepared = (await what.prepare(runtime)) as Prepared;
  let between: Temporaries | undefined;
  const record = (recorder: ReturnType<Runtime["record"]>): void => {
    const given = { ...options, ...(between && { between }) };
    between = prepared.record(recorder, arrays as never, given as never);
  };
  return {
    record: (count) => repeated(runtime, record, count),
    dispose: () => {
      between?.dispose();
      prepared.dispose();
    },
  };
}

async function onePipeline(
  runtime: Runtime,
  what: PipelineDefinition,
  n: number,
  arrays: Arrays,
): Promise<Work> {
  const executable = await runtime.compile(what);
  const scratch = runtime.array("u32", Math.ceil(executable.scratchBytes(n) / 4));
  return {
    record: (count) =>
      repeated(runtime, (recorder) => recorder.run(executable, arrays, { n, scratch }), count),
    dispose: () => {
      scratch.dispose();
      executable.dispose();
    },
  };
}
