/** `groupwise run --stream`: files larger than memory are computed chunk by chunk, with the bits of one run. */
import { performance } from "node:perf_hooks";
import type { ArrayType, Checked, HostArray, Runtime, ScalarValue } from "@groupwise/core";
import { type State, type Stepper, stepper } from "@groupwise/core/state";
import { errorOf } from "@groupwise/core/target";
import { writeFiles } from "../base/files.ts";
import type { Outcome, Surroundings } from "../base/outcome.ts";
import { badUsage } from "../base/problem.ts";
import { targetsOf } from "../base/target-list.ts";
import { choose, type Device, survey } from "../devices/index.ts";
import { Sink } from "../streams/sink.ts";
import { Source } from "../streams/source.ts";
import { readValues, splitName } from "../values/arguments.ts";
import { writeNpy } from "../values/npy.ts";
import { outputData, SHOWN, showArray } from "../values/show.ts";
import { refuseTuning } from "../values/tuning-file.ts";
import { loadPipeline } from "./pipeline-file.ts";
import type { RunFlags } from "./run.ts";
import { typesOf } from "./run-report.ts";

/** Default number of items of a chunk. */
const CHUNK = 2 ** 20;

type Arrays = Readonly<Record<string, HostArray>>;

/** What is run, in which chunks. */
interface Streaming {
  readonly sources: ReadonlyMap<string, Source>;
  /** Parameters and tables. */
  readonly values: Readonly<Record<string, HostArray | ScalarValue>>;
  readonly sink: Sink;
  /** Names of the outputs of items. */
  readonly perItem: readonly string[];
  readonly n: number;
  readonly chunk: number;
}

/** @throws GroupwiseError `not-carried`, `bad-usage`; as a run */
export async function streamCommand(path: string, flags: RunFlags, around: Surroundings): Promise<Outcome> {
  const { cwd } = around;
  const { out } = flags;
  refuseTuning(flags.tuning, "--stream");
  if (out === undefined) throw badUsage("a stream needs a folder for its outputs", "pass --out DIR");
  if (flags.repeat !== undefined || flags.n !== undefined || flags.globalSize || flags.globalOffset)
    throw badUsage(
      "the input files of a stream determine its range, and it runs once",
      "omit --repeat, --n and --global-…",
    );
  if (flags.workers !== undefined)
    throw badUsage("chunks follow one another, so one thread computes them", "omit --workers");
  const checked = await loadPipeline(path, cwd, flags.export);
  const values = await fixedValues(checked, flags, cwd);
  const sources = sourcesOf(checked, flags.input, cwd);
  const runtime = await runtimeFor(flags);
  try {
    const steps = await stepper(runtime, checked.pipeline);
    const n = lengthOf(sources, checked);
    const types = typesOf(checked);
    const perItem = checked.sinks
      .filter(({ id }) => checked.uniformities[id] === "item")
      .map(({ name }) => name);
    const partial = Object.fromEntries(perItem.map((name) => [name, types[name] as ArrayType]));
    const plan = { directory: out, cwd, pipeline: checked.pipeline.name, types: partial, length: n };
    const sink = new Sink(plan, flags.resume ?? false);
    const chunk = typeof flags.stream === "number" ? flags.stream : CHUNK;
    const ran = await runChunks(steps, { sources, values, sink, perItem, n, chunk }, flags, around).finally(
      () => sink.close(),
    );
    const files = [...writeTotals(out, types, ran.outputs, perItem, cwd), ...sink.finish()];
    return outcomeOf(checked, { ...ran, files, n, types, perItem, count: flags.show ?? SHOWN });
  } finally {
    for (const source of sources.values()) source.close();
    runtime.dispose();
  }
}

/** @throws GroupwiseError `bad-usage`, `device-missing` */
async function runtimeFor({ target: list, device: wish }: RunFlags): Promise<Runtime> {
  const targets = targetsOf(list);
  if (targets.length !== 1) throw badUsage("a stream runs on one device", "pass one --target");
  const [device] = choose(await survey(targets), targets, wish);
  return (device as Device).open();
}

/** The files of inputs, open. @throws GroupwiseError `bad-usage`, `missing-input`; as `Source` */
function sourcesOf(
  { inputs, tables, pipeline }: Checked,
  specs: readonly string[],
  cwd: string,
): Map<string, Source> {
  const names = [...inputs, ...tables].map(({ name }) => name);
  const found = new Map<string, Source>();
  for (const spec of specs) {
    const [name, file] = splitName("--input", spec, names.length === 1 ? names[0] : undefined, names);
    const node = inputs.find((input) => input.name === name);
    if (node) found.set(name, new Source(file, node.type, cwd));
  }
  const missing = inputs.find(({ name }) => !found.has(name));
  if (missing) throw errorOf("missing-input", { name: missing.name, known: names }, pipeline.name);
  return found;
}

/** Tables and parameters, which all chunks share. */
async function fixedValues(
  checked: Checked,
  { input, param }: RunFlags,
  cwd: string,
): Promise<Readonly<Record<string, HostArray | ScalarValue>>> {
  const inputs = checked.inputs.map(({ name }) => name);
  const names = [...inputs, ...checked.tables.map(({ name }) => name)];
  const only = names.length === 1 ? names[0] : undefined;
  const tables = input.filter((spec) => !inputs.includes(splitName("--input", spec, only, names)[0]));
  return readValues({ ...checked, inputs: [] }, tables, param, cwd);
}

/** @throws GroupwiseError `length-mismatch`, `length-needed` */
function lengthOf(sources: ReadonlyMap<string, Source>, { pipeline }: Checked): number {
  const lengths = [...sources].map(([name, { length }]) => ({ name, length }));
  const [first] = lengths;
  if (!first) throw errorOf("length-needed", undefined, pipeline.name);
  const listed = lengths.map(({ name, length }) => `${name} ${length}`).join(", ");
  if (lengths.some(({ length }) => length !== first.length))
    throw errorOf("length-mismatch", { lengths: listed }, pipeline.name);
  return first.length;
}

interface Ran {
  /** Of the last chunk. */
  readonly outputs: Arrays;
  readonly from: number;
  readonly milliseconds: number;
}

/** Runs at least one chunk: reduces have results over no items too. */
async function runChunks(
  steps: Stepper,
  { sources, values, sink, perItem, n, chunk }: Streaming,
  { resume = false }: RunFlags,
  { progress }: Surroundings,
): Promise<Ran> {
  let state: State = (resume ? sink.state() : undefined) ?? steps.start;
  const from = Number(state.to);
  const start = performance.now();
  let outputs: Arrays = {};
  let at = from;
  do {
    const to = Math.min(at + chunk, n);
    const inputs = Object.fromEntries([...sources].map(([name, source]) => [name, source.read(at, to)]));
    const step = await steps.step({ ...values, ...inputs }, { state });
    ({ state } = step);
    outputs = step.outputs as Arrays;
    sink.write(
      at,
      Object.fromEntries(perItem.map((name) => [name, (outputs as Arrays)[name] as HostArray])),
      state,
    );
    at = to;
    const rate = (at - from) / (performance.now() - start);
    const left = at < n ? Math.ceil((n - at) / rate / 1000) : 0;
    progress.show(`${at} of ${n} items, ${(rate / 1000).toFixed(1)} million per second, ${left} s left`);
  } while (at < n);
  progress.clear();
  return { outputs, from, milliseconds: performance.now() - start };
}

/** The outputs that are one value for the whole range. */
const totalsOf = (outputs: Arrays, perItem: readonly string[]): readonly [string, HostArray][] =>
  Object.entries(outputs).filter(([name]) => !perItem.includes(name));

function writeTotals(
  out: string,
  types: Readonly<Record<string, ArrayType>>,
  outputs: Arrays,
  perItem: readonly string[],
  cwd: string,
): string[] {
  const files = totalsOf(outputs, perItem).map(([name, array]) => ({
    path: `${name}.npy`,
    data: writeNpy(types[name] as ArrayType, array),
  }));
  return writeFiles(out, files, cwd);
}

interface Finished extends Ran {
  readonly files: readonly string[];
  readonly n: number;
  readonly types: Readonly<Record<string, ArrayType>>;
  readonly perItem: readonly string[];
  readonly count: number;
}

function outcomeOf({ pipeline }: Checked, ran: Finished): Outcome {
  const { outputs, files, n, from, milliseconds, types, perItem, count } = ran;
  const totals = totalsOf(outputs, perItem);
  const shown = totals.map(([name, array]) => showArray(name, types[name] as ArrayType, array, count));
  const data = totals.map(([name, array]) => [name, outputData(types[name] as ArrayType, array, count)]);
  return {
    code: 0,
    data: { pipeline: pipeline.name, items: n, from, milliseconds, outputs: Object.fromEntries(data), files },
    text: [...shown, ...files.map((file) => `${file}`)].map((line) => `${line.trimEnd()}\n`).join(""),
  };
}
