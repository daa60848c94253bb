/** `groupwise run --stream`: files larger than memory are computed chunk by chunk, with the bits of one run. */
import { performance } from "node:perf_hooks";
import {
  type ArrayType,
  type Checked,
  check,
  type HostArray,
  type Runtime,
  type ScalarValue,
} from "@groupwise/core";
import { carriedOf, type Round, type Rounds, roundsOf } from "@groupwise/core/state";
import { errorOf } from "@groupwise/core/target";
import type { Outcome, Surroundings } from "../base/outcome.ts";
import { badUsage } from "../base/problem.ts";
import { targetsOf } from "../base/target-list.ts";
import { toolsOf } from "../base/targets.ts";
import { choose, type Device, survey, withThreads } from "../devices/index.ts";
import { keepingBy, withDevice } from "../devices/probed.ts";
import type { RunFlags } from "../flags/tables.ts";
import type { Counting } from "../streams/appended.ts";
import { endOf } from "../streams/backwards.ts";
import { chunkSize } from "../streams/chunk-size.ts";
import { lengthOf } from "../streams/chunks.ts";
import { peakMemory } from "../streams/memory.ts";
import { RunOrigin } from "../streams/origin.ts";
import { requireAgain, streamRounds } from "../streams/rounds.ts";
import { Sink } from "../streams/sink.ts";
import { openSources } from "../streams/sources/open.ts";
import { closeAll, type Source } from "../streams/sources/source.ts";
import { Spent, type SpentTimes } from "../streams/spent.ts";
import { notesOnRounds } from "../streams/threads.ts";
import { readValues, type ValueFlags } from "../values/arguments.ts";
import { type BoundInput, bindInputs } from "../values/bind.ts";
import { outputData, SHOWN, showArray } from "../values/show.ts";
import { isTableFile } from "../values/table-file.ts";
import { refuseTuning } from "../values/tuning-file.ts";
import { loadPipeline } from "./pipeline-file.ts";
import { typesOf, writeOutputs } from "./run-report.ts";

/** @throws GroupwiseError `not-carried`, `bad-usage`; as a run */
export async function streamCommand(path: string, flags: RunFlags, around: Surroundings): Promise<Outcome> {
  const { cwd } = around;
  const out = requireFlags(flags);
  const checked = await loadPipeline(path, cwd, flags.export);
  const bound = bindInputs(checked, flags.input, flags);
  const { param, null: absent, raw } = flags;
  const values = await fixedValues(checked, bound, { param, null: absent, raw }, cwd);
  if (checked.inputs.length === 0) throw errorOf("length-needed", undefined, checked.pipeline.name);
  const shared = sharesMemory(flags);
  const sources = await openSources(requireInputs(checked, bound), { cwd, null: absent, raw }, shared);
  try {
    return await withDevice(await deviceFor(flags), { shared }, keepingBy(flags), (runtime) =>
      streamOn(runtime, { checked, values, sources, flags, out, around }),
    );
  } finally {
    await closeAll(sources);
  }
}

/** What is run. */
interface Run {
  readonly checked: Checked;
  readonly values: Readonly<Record<string, HostArray | ScalarValue>>;
  readonly sources: readonly Source[];
  readonly flags: RunFlags;
  readonly out: string;
  readonly around: Surroundings;
}

async function streamOn(runtime: Runtime, run: Run): Promise<Outcome> {
  const { checked, values, sources, flags, out, around } = run;
  const { cwd, progress } = around;
  const { name: pipeline } = checked.pipeline;
  const length = lengthOf(sources, pipeline);
  const rounds = roundsOf(checked.pipeline, { knowsCount: length !== undefined });
  requireAgain(rounds, sources);
  const types = typesOf(checked);
  const perItem = perItemOf(checked);
  const written = Object.fromEntries(perItem.map((name) => [name, types[name] as ArrayType]));
  const origin = new RunOrigin(checked, values, sources, endOf(rounds, sources));
  const appended = appendedOf(rounds);
  const plan = { directory: out, cwd, pipeline, origin, types: written, length, appended };
  const sink = new Sink(plan, flags.resume ?? false);
  const chunk =
    typeof flags.stream === "number" ? flags.stream : chunkSize(runtime.capabilities, checked, flags.workers);
  const state = flags.resume ? await sink.state() : undefined;
  const from = Number(state?.to ?? 0);
  const start = performance.now();
  const spent = new Spent();
  const all = {
    runtime,
    checked,
    rounds,
    sources,
    values,
    sink,
    perItem,
    state,
    chunk,
    length,
    progress,
    spent,
  };
  try {
    const ran = await streamRounds(all);
    const totals = Object.entries(ran.outputs).filter(([name]) => !perItem.includes(name));
    const items = Number(ran.state.to);
    const files = [
      ...writeOutputs(out, types, Object.fromEntries(totals), cwd),
      ...(await sink.finish(items)),
    ];
    spent.on("finishing");
    const milliseconds = performance.now() - start;
    const count = flags.show ?? SHOWN;
    const data = { items, from, chunk, milliseconds, peakBytes: peakMemory(), spent: spent.times };
    const notes = flags.workers === undefined ? [] : notesOnRounds(rounds);
    return outcomeOf(pipeline, { totals, types, count, data, files, notes });
  } catch (error) {
    await sink.stop();
    throw error;
  }
}

/** The outputs whose elements of chunks are appended. */
const appendedOf = ({ list }: Rounds): Counting => carriedOf(check((list.at(-1) as Round).pipeline)).appended;

/** Names of the outputs that have elements in each chunk. */
const perItemOf = ({ sinks, uniformities }: Checked): string[] =>
  sinks.filter(({ id }) => uniformities[id] === "item").map(({ name }) => name);

/** @returns the folder of the outputs @throws GroupwiseError `bad-usage` */
function requireFlags(flags: RunFlags): string {
  refuseTuning(flags.tuning, "--stream");
  if (flags.subnormals) throw badUsage("a stream keeps subnormal numbers", "omit --subnormals");
  if (flags.out === undefined || isTableFile(flags.out))
    throw badUsage("a stream needs a folder for its outputs, which are .npy files", "pass --out DIR");
  if (flags.seed !== undefined)
    throw badUsage("a stream reads its inputs from files", "omit --seed, or run without --stream");
  if (flags.repeat !== undefined || flags.n !== undefined || flags.globalSize || flags.globalOffset)
    throw badUsage(
      "the input files of a stream determine its range, and it runs once",
      "omit --repeat, --n and --global-…",
    );
  return flags.out;
}

/** @throws GroupwiseError `bad-usage`, `device-missing` */
async function deviceFor({ target: list, device: wish, workers }: RunFlags): Promise<Device> {
  const targets = targetsOf(list);
  if (targets.length !== 1)
    throw badUsage(
      `a stream runs on one device, and --target ${list} names ${targets.length} targets`,
      "pass one --target; to compare, run it again with another --target and --out",
    );
  const devices = withThreads(choose(await survey(targets), targets, wish), workers);
  if (devices.length > 1)
    throw badUsage(
      `a stream runs on one device, and --device ${wish} names ${devices.length}: ${devices.map(({ name }) => name).join(", ")}`,
      "pass more of its name, or its number in the list of `groupwise doctor`",
    );
  return devices[0] as Device;
}

/** Whether workers read files into their memory and write files from it. */
const sharesMemory = ({ target, workers }: RunFlags): boolean =>
  workers !== undefined && targetsOf(target).every((name) => toolsOf(name).sharesMemory);

/** The inputs, and where they come from. @throws GroupwiseError `missing-input` */
function requireInputs(
  { inputs, tables, pipeline }: Checked,
  bound: readonly BoundInput[],
): readonly BoundInput[] {
  const isBound = (name: string): boolean => bound.some((one) => one.name === name);
  const missing = inputs.find(({ name }) => !isBound(name));
  if (!missing) return bound.filter(({ name }) => inputs.some((input) => input.name === name));
  const known = [...inputs, ...tables].map(({ name }) => name);
  throw errorOf("missing-input", { name: missing.name, known }, pipeline.name);
}

/** Tables and parameters, which all chunks share. */
async function fixedValues(
  checked: Checked,
  bound: readonly BoundInput[],
  flags: ValueFlags,
  cwd: string,
): Promise<Readonly<Record<string, HostArray | ScalarValue>>> {
  const tables = bound.filter(({ name }) => checked.tables.some((table) => table.name === name));
  return readValues({ ...checked, inputs: [] }, tables, flags, cwd);
}

/** The numbers of a run. */
interface Ran {
  /** Up to the last one. */
  readonly items: number;
  /** The first item; not 0 after `--resume`. */
  readonly from: number;
  /** Items of a chunk. */
  readonly chunk: number;
  readonly milliseconds: number;
  /** The memory of the process. */
  readonly peakBytes: number;
  readonly spent: SpentTimes;
}

interface Finished {
  /** The outputs that are one value for the whole range. */
  readonly totals: readonly [string, HostArray][];
  readonly types: Readonly<Record<string, ArrayType>>;
  /** Leading values that are printed. */
  readonly count: number;
  readonly data: Ran;
  readonly files: readonly string[];
  readonly notes: readonly string[];
}

function outcomeOf(pipeline: string, { totals, types, count, data, files, notes }: Finished): Outcome {
  const shown = totals.map(([name, array]) => showArray(name, types[name] as ArrayType, array, count));
  const outputs = totals.map(([name, array]) => [name, outputData(types[name] as ArrayType, array, count)]);
  return {
    code: 0,
    data: { pipeline, ...data, outputs: Object.fromEntries(outputs), files },
    notes,
    text: [...shown, ...files, summaryOf(data)].map((line) => `${line.trimEnd()}\n`).join(""),
  };
}

const summaryOf = ({ items, from, chunk, milliseconds, peakBytes }: Ran): string =>
  `${items - from} items in chunks of ${chunk}: ${milliseconds.toFixed(2)} ms, at most ${Math.ceil(peakBytes / 1e6)} MB in memory`;
