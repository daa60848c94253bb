/** The hashes of a pipeline's results on a device: of a whole array, of its beginning, of a view, and of its chunks. */
import { createHash } from "node:crypto";
import type { ArrayType, DeviceArray, HostArray, PipelineSource, Recorder, Runtime } from "@groupwise/core";
import { stream } from "@groupwise/core/state";
import type { Primitive } from "@groupwise/primitives";
import { joined } from "@groupwise/testkit";
import type { Hashed } from "./pipelines.ts";

/** Ways to the same bits: the beginning is a run over the first items alone; a view begins later in its memory; chunks come one after the other. */
export const FORMS = ["whole", "prefix", "view", "chunks"] as const;
export type HashedForm = (typeof FORMS)[number];

/** Hashes of results. `chunks` is absent for primitives of several steps, which have no states. */
export interface Hashes {
  readonly whole: string;
  readonly prefix: string;
  /** The beginning of the whole's results, where only the first items determine it. */
  readonly beginning?: string;
  readonly view: string;
  readonly chunks?: string;
}

/** Zeros of the type of an array. */
const emptyLike = (array: HostArray, length: number): Uint8Array =>
  new (array.constructor as Uint8ArrayConstructor)(length);

type Arrays = Readonly<Record<string, HostArray>>;
type DeviceArrays = Readonly<Record<string, DeviceArray>>;

/** An output: its number of elements for n items, and the output that holds how many of them are valid. */
interface Output {
  readonly type: ArrayType;
  readonly isPerItem: boolean;
  readonly count?: string | undefined;
}

/** A compiled pipeline or primitive. */
interface Program {
  readonly outputs: Readonly<Record<string, Output>>;
  /** @returns what frees the arrays between steps */
  record(recorder: Recorder, arrays: DeviceArrays, n: number): { dispose(): void };
  dispose(): void;
}

const isPrimitive = (what: Hashed["what"]): what is Primitive => "prepare" in what;

async function programOf(runtime: Runtime, what: Hashed["what"]): Promise<Program> {
  if (!isPrimitive(what)) return ofPipeline(runtime, what);
  const prepared = await what.prepare(runtime);
  const outputs = Object.entries(what.outputs).map(
    ([name, type]) => [name, { type, isPerItem: true }] as const,
  );
  return {
    outputs: Object.fromEntries(outputs),
    record: (recorder, arrays, n) => prepared.record(recorder, arrays as never, { n }),
    dispose: () => prepared.dispose(),
  };
}

async function ofPipeline(runtime: Runtime, source: PipelineSource): Promise<Program> {
  const executable = await runtime.compile(source);
  const outputs = executable.manifest.bindings
    .filter(({ role, hidden }) => role === "output" && !hidden)
    .map(({ name, type, uniformity, scatter, lengthFrom }): readonly [string, Output] => [
      name,
      { type, isPerItem: Boolean(scatter) || uniformity === "item", count: lengthFrom },
    ]);
  return {
    outputs: Object.fromEntries(outputs),
    record: (recorder, arrays, n) => {
      recorder.run(executable, arrays as never, { n });
      return { dispose: () => {} };
    },
    dispose: () => executable.dispose(),
  };
}

/** The valid elements of each output of a run over the first n items of arrays. */
async function runOver(
  runtime: Runtime,
  { outputs, record }: Program,
  inputs: DeviceArrays,
  n: number,
): Promise<Arrays> {
  const made = Object.fromEntries(
    Object.entries(outputs).map(([name, { type, isPerItem }]) => [
      name,
      runtime.array(type, isPerItem ? n : 1) as DeviceArray,
    ]),
  );
  const recorder = runtime.record();
  const between = record(recorder, { ...inputs, ...made }, n);
  await recorder.submit();
  const read = new Map<string, HostArray>();
  for (const [name, array] of Object.entries(made)) read.set(name, await array.read());
  for (const one of [between, ...Object.values(made)]) one.dispose();
  const valid = ({ count }: Output): number => (count === undefined ? n : Number(read.get(count)?.[0]));
  return Object.fromEntries(
    [...read].map(([name, all]) => [name, all.subarray(0, valid(outputs[name] as Output))]),
  );
}

/** Arrays on the device that begin `at` elements later in their memory. */
function upload(runtime: Runtime, inputs: Arrays, { inputs: types }: Hashed, at: number) {
  const whole = Object.entries(inputs).map(([name, values]) => {
    const all = emptyLike(values, at + values.length);
    all.set(values.subarray(0, at) as Uint8Array);
    all.set(values as Uint8Array, at);
    return [name, runtime.array(types[name]?.type as "u8", all)] as const;
  });
  return {
    views: Object.fromEntries(whole.map(([name, array]) => [name, array.slice(at) as DeviceArray])),
    dispose: () => {
      for (const [, array] of whole) array.dispose();
    },
  };
}

/** The least number of elements, at least one, after which slices of all inputs may begin. */
const viewAt = ({ sliceAlignment }: Runtime, inputs: Arrays): number =>
  Math.max(1, ...Object.values(inputs).map((one) => Math.ceil(sliceAlignment / one.BYTES_PER_ELEMENT)));

/** Ends of chunks: one item, some, a power of two, and the others in two parts. */
const endsOf = (n: number): readonly number[] =>
  [...new Set([1, 1000, 2 ** 16, Math.ceil(n / 3), n])].filter((end) => end <= n).toSorted((a, b) => a - b);

/** The results of chunks in a row: the elements of items, and the last reduces. */
async function inChunks(
  runtime: Runtime,
  source: PipelineSource,
  { outputs }: Program,
  inputs: Arrays,
  n: number,
): Promise<Arrays> {
  const ends = endsOf(n);
  const chunks = ends.map((to, i) =>
    Object.fromEntries(
      Object.entries(inputs).map(([name, all]) => [name, all.subarray(ends[i - 1] ?? 0, to)]),
    ),
  );
  const parts = new Map<string, HostArray[]>();
  for await (const step of stream(runtime, source, () => chunks as never))
    for (const [name, array] of Object.entries(step.outputs as Arrays)) {
      const before = outputs[name]?.isPerItem ? (parts.get(name) ?? []) : [];
      parts.set(name, [...before, array]);
    }
  return Object.fromEntries([...parts].map(([name, all]) => [name, joined(all)]));
}

function hashOf(results: Arrays, names: readonly string[]): string {
  const hash = createHash("sha256");
  for (const name of names) {
    const array = results[name] as HostArray;
    hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  }
  return hash.digest("hex").slice(0, 16);
}

/** The number of items of the beginning, which is in no tile's or chunk's place. */
export const prefixOf = (n: number): number => Math.ceil(n / 2) - 3;

/** Runs a pipeline over n items in each form. @throws GroupwiseError `unsupported`; what compiling and running throw */
export async function hashesOf(runtime: Runtime, hashed: Hashed, n: number): Promise<Hashes> {
  const program = await programOf(runtime, hashed.what);
  const inputs: Arrays = Object.fromEntries(
    Object.entries(hashed.inputs).map(([name, { values }]) => [name, values(n)]),
  );
  const names = Object.keys(program.outputs);
  // A reduce over the beginning is not in the results of the whole.
  const begun = hashed.isPrefixed ? names.filter((name) => program.outputs[name]?.isPerItem) : names;
  const first = prefixOf(n);
  const start = upload(runtime, inputs, hashed, 0);
  const later = upload(runtime, inputs, hashed, viewAt(runtime, inputs));
  try {
    const whole = await runOver(runtime, program, start.views, n);
    const prefix = await runOver(runtime, program, start.views, first);
    const view = await runOver(runtime, program, later.views, n);
    const chunks = isPrimitive(hashed.what)
      ? undefined
      : await inChunks(runtime, hashed.what, program, inputs, n);
    const beginning = Object.fromEntries(
      begun.map((name) => [name, (whole[name] as HostArray).subarray(0, prefix[name]?.length)]),
    );
    return {
      whole: hashOf(whole, names),
      prefix: hashOf(prefix, begun),
      ...(hashed.isPrefixed && { beginning: hashOf(beginning, begun) }),
      view: hashOf(view, names),
      ...(chunks && { chunks: hashOf(chunks, names) }),
    };
  } finally {
    for (const one of [start, later, program]) one.dispose();
  }
}
