/** A runtime under test. It compiles each pipeline once, in parts if the device binds too few arrays. */
import {
  type Checked,
  type CompileOptions,
  check,
  type Executable,
  GroupwiseError,
  type Pipeline,
  type PipelineNode,
  type PipelineSource,
  type RunOptions,
  type RunOutputs,
  type Runtime,
  type RunValues,
} from "@groupwise/core";
import { isNarrow, isSink, isSupported, pipelineOf, typeOfSink, userParams } from "@groupwise/core/target";
import { difference } from "../data/arrays.ts";
import { expected, itemsOf, outcomeOf, type RunOutcome } from "../data/oracle.ts";
import { withOutputs } from "../data/parts.ts";

/** The effort: `quick` for slow devices, `full` for the long sweeps. */
export type Effort = "quick" | "normal" | "full";

/** The device does not support a pipeline, as its capabilities state. */
export class NotSupportedError extends Error {
  override readonly name = "NotSupportedError";
}

/** A pipeline made ready on the device, whole or in parts. */
interface Compiled {
  readonly checked: Checked;
  /** The number of executables that it took. */
  readonly parts: number;
  run(values: RunValues, options?: RunOptions): Promise<RunOutputs>;
  /** Frees its resources on the device. */
  dispose(): void;
}

/** The differences of one run from the reference, by output; empty if there are none. */
export type Differences = Readonly<Record<string, string>>;

export class Subject {
  readonly runtime: Runtime;
  readonly effort: Effort;
  /** Compiling takes seconds: work-groups of other sizes than the main one run only one operator. */
  readonly isThrifty: boolean;
  private readonly compiled = new Map<string, Promise<Compiled>>();

  constructor(runtime: Runtime, effort: Effort = "normal", isThrifty: boolean = false) {
    this.runtime = runtime;
    this.effort = effort;
    this.isThrifty = isThrifty;
  }

  /** Outside of full runs, one of the operators that differ in one line represents them. */
  get isBrief(): boolean {
    return this.isThrifty && this.effort !== "full";
  }

  /** @throws NotSupportedError if the capabilities exclude the pipeline */
  compile(source: PipelineSource, how?: CompileOptions): Promise<Compiled> {
    const pipeline = pipelineOf(source);
    const key = JSON.stringify(pipeline);
    const known = this.compiled.get(key) ?? this.prepare(pipeline, how);
    this.compiled.set(key, known);
    return known;
  }

  /** Ends the use of what {@link compile} made. The runtime keeps the last ones for other checks, unless they are compiled otherwise. */
  async release(): Promise<void> {
    const made = await Promise.allSettled(this.compiled.values());
    for (const one of made) if (one.status === "fulfilled") one.value.dispose();
    this.compiled.clear();
  }

  /** Runs a pipeline here and in the reference. An error must be the reference's too. */
  async compare(source: PipelineSource, values: RunValues, options: RunOptions = {}): Promise<Differences> {
    return compareWith(await this.compile(source), values, options);
  }

  /** {@link compare} of a pipeline that is not needed again: its resources are freed. @param want what the reference gives, where it is known */
  async compareOnce(
    source: PipelineSource,
    values: RunValues,
    options: RunOptions = {},
    want?: RunOutcome,
  ): Promise<Differences> {
    const compiled = await this.prepare(pipelineOf(source), { keep: false });
    try {
      return await compareWith(compiled, values, options, want);
    } finally {
      compiled.dispose();
    }
  }

  private async prepare(pipeline: Pipeline, how?: CompileOptions): Promise<Compiled> {
    const checked = check(pipeline);
    const executables = await this.split(pipeline, how);
    const run = async (values: RunValues, options: RunOptions = {}): Promise<RunOutputs> => {
      const n = itemsOf(checked, values, options);
      const all: RunOutputs = {};
      for (const executable of executables) {
        const { manifest } = executable;
        const names = [
          ...manifest.bindings.filter(({ role }) => role === "input" || role === "table"),
          ...userParams(manifest),
        ].map(({ name }) => name);
        const own = executables.length === 1 ? values : pick(values, names);
        const hasInput = manifest.bindings.some(({ role }) => role === "input");
        Object.assign(all, await executable.run(own, hasInput ? options : { ...options, n }));
      }
      return all;
    };
    const dispose = (): void => {
      for (const executable of executables) executable.dispose();
    };
    return { checked, parts: executables.length, run, dispose };
  }

  private async split(pipeline: Pipeline, how?: CompileOptions): Promise<Executable[]> {
    try {
      return [await this.runtime.compile(pipeline, how)];
    } catch (error) {
      if (!(error instanceof GroupwiseError)) throw error;
      const reason = this.excuse(pipeline, error);
      if (reason !== undefined) throw new NotSupportedError(reason);
      const names = pipeline.nodes.flatMap((node) =>
        node.kind === "output" || node.kind === "scatter" ? [node.name] : [],
      );
      if (error.code !== "device-limit" || names.length < 2) throw error;
      const half = Math.ceil(names.length / 2);
      const parts = [names.slice(0, half), names.slice(half)];
      const executables: Executable[] = [];
      for (const part of parts)
        executables.push(...(await this.split(withOutputs(pipeline, new Set(part)), how)));
      return executables;
    }
  }

  /** Why the device may refuse the pipeline; a refusal that no capability explains is a fault. */
  private excuse(pipeline: Pipeline, error: GroupwiseError): string | undefined {
    const { capabilities } = this.runtime;
    if (error.code === "work-group-too-large") {
      const size = pipeline.workGroupSize.reduce((a, b) => a * b, 1);
      return size > capabilities.maxWorkGroupSize ? error.what : undefined;
    }
    if (error.code !== "unsupported") return undefined;
    const { types } = check(pipeline);
    const supports = [
      ...types.map((type) => capabilities.scalars[type]),
      ...(pipeline.nodes.some(({ kind }) => kind === "scatter") ? [capabilities.scatter] : []),
      ...(pipeline.nodes.some(isOfNarrow) && typeof capabilities.narrow === "object"
        ? [capabilities.narrow]
        : []),
      ...(capabilities.calls && pipeline.nodes.some(({ kind }) => kind === "function")
        ? [capabilities.calls]
        : []),
    ];
    const lacking = supports.find((support) => !isSupported(support));
    return lacking === undefined || isSupported(lacking) ? undefined : error.what;
  }
}

const isOfNarrow = (node: PipelineNode): boolean =>
  ("type" in node && isNarrow(node.type)) || (isSink(node) && node.as !== undefined);

async function compareWith(
  compiled: Compiled,
  values: RunValues,
  options: RunOptions,
  known?: RunOutcome,
): Promise<Differences> {
  const { checked } = compiled;
  const want = known ?? (await outcomeOf(() => expected(checked, values, options)));
  const got = await outcomeOf(() => compiled.run(values, options));
  if ("error" in want || "error" in got) return differentErrors(got, want);
  const different: Record<string, string> = {};
  for (const sink of checked.sinks) {
    const { name } = sink;
    const type = typeOfSink(checked, sink);
    const found = difference(type, got.outputs[name], want.outputs[name] as never);
    if (found) different[name] = found.text;
  }
  for (const name of Object.keys(got.outputs))
    if (!(name in want.outputs)) different[name] = "the reference has no such output";
  return different;
}

function pick(values: RunValues, names: readonly string[]): RunValues {
  return Object.fromEntries(names.map((name) => [name, values[name] as never]));
}

function differentErrors(got: RunOutcome, want: RunOutcome): Differences {
  const kind = (outcome: RunOutcome): string =>
    "error" in outcome ? `the error ${outcome.error}` : "outputs";
  if (kind(got) === kind(want)) return {};
  const what = "error" in got ? ` (${got.what})` : "";
  return { run: `it gives ${kind(got)}${what}, not ${kind(want)}` };
}
