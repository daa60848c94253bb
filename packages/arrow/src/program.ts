/** Pipelines that run on columns. */
import {
  type Checked,
  check,
  type Executable,
  GroupwiseError,
  type PipelineSource,
  type RunOptions,
  type Runtime,
  type ScalarValue,
} from "@groupwise/core";
import { type Stepper, stepper } from "@groupwise/core/state";
import { errorOf, optionsOf, pipelineOf, RUNTIME, recordOf, requireArgument } from "@groupwise/core/target";
import { chunksOf, joined, type RecordChunk } from "./chunks.ts";
import { type Column, type ColumnSpan, columnOf, hasNulls, isPacked } from "./column.ts";
import { type Masked, withBitmaps } from "./masked.ts";
import { type ChunkResults, ResultVectors } from "./results.ts";
import type { ColumnOptions, ColumnResults, ColumnValues } from "./types.ts";
import { valuesOf } from "./values.ts";
import { ARROW_LIBRARY, type ArrowLibrary, classesOf } from "./vectors.ts";

/** A pipeline that runs on columns of a runtime. `P` is the type of the pipeline. */
export interface ColumnProgram<P extends PipelineSource = PipelineSource> {
  /**
   * Runs the pipeline. Arrays of values and bitmaps are views of the columns' buffers. A chunked column runs chunk by chunk, with the bits of
   * one array; a pipeline that cannot go from chunk to chunk (a gather, most scatters, segments by keys) runs on a copy in one piece.
   * Results of chunks are chunks, and bitmaps of results may be those of inputs: treat both as immutable, as Arrow does.
   * @throws GroupwiseError through the promise: `wrong-dtype` for a column of another type, `length-mismatch`, `missing-input`,
   * `unknown-input`, `bad-buffer`, `bad-argument`; `unsupported` if nulls decide where segments begin; as `Executable.run`
   */
  run(values: ColumnValues<P>, options?: ColumnOptions<P>): Promise<ColumnResults<P>>;
  /** Frees what the runtime compiled. */
  dispose(): void;
}

/**
 * A pipeline over Arrow columns. It is compiled at the first run, and again if other columns have nulls: without nulls it reads
 * no bitmap.
 * @param source a pipeline of the builder, or a document
 * @throws GroupwiseError what `check` throws; `bad-argument` for other options
 * @example
 * ```ts
 * import { overColumns } from "@groupwise/arrow";
 * import { f64, pipeline } from "@groupwise/dsl";
 * import { cpuRuntime } from "@groupwise/cpu";
 * import { Float64, vectorFromArray } from "apache-arrow";
 *
 * const sums = pipeline("sums", { price: f64 }, ({ price }) => ({ y: price.scanInclusive("add") }));
 * const program = overColumns(cpuRuntime(), sums);
 * const { y } = await program.run({ price: vectorFromArray([1, null, 3], new Float64()) });
 * console.log(y.toArray()); // [1, 1, 4]
 * ```
 */
export function overColumns<P extends PipelineSource>(
  runtime: Runtime,
  source: P,
  options: ProgramOptions = {},
): ColumnProgram<P> {
  requireArgument(runtime, RUNTIME, "the runtime of overColumns");
  const { arrow } = optionsOf(
    options,
    { arrow: ARROW_LIBRARY },
    "the options of overColumns",
  ) as ProgramOptions;
  const program = new Program(runtime, source, arrow);
  return {
    run: (values, options) => program.run(values, options) as Promise<ColumnResults<P>>,
    dispose: () => program.dispose(),
  };
}

/** How a program makes its results. */
export interface ProgramOptions {
  /**
   * The module `apache-arrow` of the application: `import * as arrow from "apache-arrow"`, or what `require` returns. By default results are made
   * with the classes of the first vector of a run; this one decides where all columns are typed arrays.
   */
  readonly arrow?: ArrowLibrary;
}

/** The document for columns some of which have bitmaps, and its compiled program. */
interface Form {
  readonly masked: Masked;
  readonly checked: Checked;
  executable?: Promise<Executable>;
  /** Undefined if the pipeline cannot go from chunk to chunk. */
  stepper?: Promise<Stepper | undefined>;
}

/** The arguments, sorted by their use. */
interface Given {
  readonly inputs: readonly Column[];
  readonly tables: readonly Column[];
  readonly params: Readonly<Record<string, unknown>>;
}

/** Undefined if the runtime refuses it. */
function unlessRefused(error: unknown): undefined {
  const isRefused =
    error instanceof GroupwiseError && (error.code === "not-carried" || error.code === "unsupported");
  if (!isRefused) throw error;
}

class Program {
  private readonly runtime: Runtime;
  private readonly source: PipelineSource;
  private readonly checked: Checked;
  private readonly forms = new Map<string, Form>();
  private readonly arrow: ArrowLibrary | undefined;

  constructor(runtime: Runtime, source: PipelineSource, arrow: ArrowLibrary | undefined) {
    this.arrow = arrow;
    this.runtime = runtime;
    this.source = source;
    this.checked = check(pipelineOf(source));
  }

  async run(values: unknown, options: unknown): Promise<Record<string, unknown>> {
    const { name } = this.checked.pipeline;
    const known = ["n", "globalSize", "globalOffset", "nullWhere"] as const;
    const { nullWhere = {}, ...range } = optionsOf(options, known, "the options", name);
    const columns = recordOf(values, "the values of a run", name);
    const given = this.given(columns);
    const plain = this.formOf(given);
    const marks = recordOf(nullWhere, "nullWhere", name) as Readonly<Record<string, string>>;
    const classes = classesOf(Object.values(columns), this.arrow);
    const chunks = chunksOf(given.inputs);
    const isWhole = Object.keys(range).length === 0 && given.inputs.length > 0;
    const steps = chunks.length > 1 && isWhole ? await this.stepperOf(plain) : undefined;
    const form = (isWhole && !steps && (await this.packedFormOf(given))) || plain;
    const results = new ResultVectors(this.source, this.checked, form.masked, { marks, classes });
    const parts = steps
      ? await this.steps(form, steps, given, chunks)
      : [await this.whole(form, given, range as RunOptions)];
    return results.of(parts);
  }

  dispose(): void {
    const free = (made: Promise<{ dispose(): void } | undefined> | undefined): void => {
      // A failure to compile was already reported to the caller who asked for it.
      made?.then((one) => one?.dispose()).catch(() => {});
    };
    for (const { executable, stepper: steps } of this.forms.values()) {
      free(executable);
      free(steps);
    }
    this.forms.clear();
  }

  private given(values: Readonly<Record<string, unknown>>): Given {
    const { inputs, tables, params, pipeline } = this.checked;
    const known = [...inputs, ...tables, ...params].map(({ name }) => name);
    for (const name of Object.keys(values))
      if (!known.includes(name)) throw errorOf("unknown-input", { name, known }, pipeline.name);
    const columns = (nodes: typeof inputs | typeof tables): Column[] =>
      nodes.map(({ name, type }) => {
        if (values[name] === undefined) throw errorOf("missing-input", { name, known }, pipeline.name);
        return columnOf(name, type, values[name], pipeline.name);
      });
    const given = columns(inputs);
    if (new Set(given.map(({ length }) => length)).size > 1) {
      const lengths = given.map(({ name, length }) => `${name} ${length}`).join(", ");
      throw errorOf("length-mismatch", { lengths }, pipeline.name);
    }
    const own = params.flatMap(({ name }) => (Object.hasOwn(values, name) ? [[name, values[name]]] : []));
    return { inputs: given, tables: columns(tables), params: Object.fromEntries(own) };
  }

  private formOf({ inputs, tables }: Given, packOutputs = false): Form {
    const nullable = [...inputs, ...tables].filter(hasNulls).map(({ name }) => name);
    const packed = inputs.filter(isPacked).map(({ name }) => name);
    const key = JSON.stringify([nullable, packed, packOutputs]);
    const masked = this.forms.get(key)?.masked ?? withBitmaps(this.source, { nullable, packed, packOutputs });
    const form = this.forms.get(key) ?? { masked, checked: check(masked.pipeline) };
    this.forms.set(key, form);
    return form;
  }

  /** The form whose bool outputs are bits; undefined if there is no such output, or if the runtime refuses scatters that combine. */
  private async packedFormOf(given: Given): Promise<Form | undefined> {
    const form = this.formOf(given, true);
    if (form.masked.packedOutputs.length === 0) return undefined;
    form.executable ??= this.runtime.compile(form.masked.pipeline);
    return (await form.executable.catch(unlessRefused)) && form;
  }

  private stepperOf(form: Form): Promise<Stepper | undefined> {
    form.stepper ??= stepper(this.runtime, form.masked.pipeline).catch(unlessRefused);
    return form.stepper;
  }

  private async steps(
    form: Form,
    steps: Stepper,
    { tables, params }: Given,
    chunks: readonly RecordChunk[],
  ): Promise<ChunkResults[]> {
    const fixed = new Map(tables.map((table): [string, ColumnSpan] => [table.name, joined(table)]));
    const parts: ChunkResults[] = [];
    let state = steps.start;
    let first = 0;
    for (const chunk of chunks) {
      const values = { ...params, ...valuesOf(form.masked, form.checked, { ...chunk, fixed, first }) };
      const n = form.checked.inputs.length === 0 ? { n: chunk.length } : {};
      const step = await steps.step(values as never, { state, ...n });
      parts.push({ ...chunk, outputs: step.outputs as ChunkResults["outputs"] });
      ({ state } = step);
      first += chunk.length;
    }
    return parts;
  }

  private async whole(form: Form, given: Given, range: RunOptions): Promise<ChunkResults> {
    const { inputs, tables, params } = given;
    form.executable ??= this.runtime.compile(form.masked.pipeline);
    const executable = await form.executable;
    const spans = new Map(inputs.map((input): [string, ColumnSpan] => [input.name, joined(input)]));
    const fixed = new Map(tables.map((table): [string, ColumnSpan] => [table.name, joined(table)]));
    const length = inputs[0]?.length ?? 0;
    const values = { ...params, ...valuesOf(form.masked, form.checked, { length, spans, fixed, first: 0 }) };
    const counts = inputs.length > 0 && form.checked.inputs.length === 0 && range.globalSize === undefined;
    const options = counts ? { n: length, ...range } : range;
    const outputs = await executable.run(values as Record<string, ScalarValue>, options);
    return { length, spans, outputs: outputs as ChunkResults["outputs"] };
  }
}
