/** Primitives of several steps: pipelines that pass data to one another in arrays on the device. */

import {
  type ArrayType,
  type DeviceArray,
  type DeviceCount,
  GroupwiseError,
  type HostArray,
  type HostArrays,
  type PipelineSource,
  type Recorder,
  type Runtime,
  type StepOptions,
} from "@groupwise/core";
import type { StepArrays } from "@groupwise/core/target";
import {
  errorOf,
  FUNCTION,
  hostView,
  kindOf,
  LIST,
  NUMBER,
  OBJECT,
  optionsOf,
  pipelineOf,
  RECORDER,
  RUNTIME,
  recordOf,
  requireArgument,
  requireArguments,
  required,
  shaped,
  TEXT,
  type Wanted,
  whole,
} from "@groupwise/core/target";
import { requireElements } from "./arguments.ts";
import {
  compileAll,
  countingRuntime,
  countOf,
  type Disposable,
  disposeAll,
  type Executables,
  type NamedArrays,
  type NameError,
  RecordingSession,
  readAll,
} from "./session.ts";

/** Element types by name. */
export type Types = Readonly<Record<string, ArrayType>>;
/** Numbers on the host, by name: capacities, widths. */
export type Numbers = Readonly<Record<string, number>>;
/** A device array for each name. */
export type DeviceArraysOf<T extends Types> = { readonly [K in keyof T]: DeviceArray<T[K]> };
/** A host array for each name. */
export type HostArraysOf<T extends Types> = { readonly [K in keyof T]: HostArrays[T[K]] };
/** A number of elements for each name. */
export type LengthsOf<T extends Types> = { readonly [K in keyof T]: number };

/** Options of a primitive: the number of items, and the numbers that it needs. */
export type PrimitiveOptions<P extends Numbers = Numbers> = {
  /** Number of items; arrays may be longer. Default: the length of the first input. */
  readonly n?: number | DeviceCount;
} & P;

/** Options with the numbers, which are required if the primitive needs them. */
export type OptionsArgument<P extends Numbers, More = unknown> =
  Record<string, never> extends P
    ? [options?: PrimitiveOptions<P> & More]
    : [options: PrimitiveOptions<P> & More];

/** Options of a recording, in addition to those of a primitive. */
export interface RecordingOptions {
  /**
   * The result of an earlier recording of the same primitive: its arrays are reused if they are long enough.
   * Steps run one after the other, so this is also safe within one recorder.
   */
  readonly between?: Temporaries;
}

/** Arrays between steps. */
export interface Temporaries {
  /** Bytes of the arrays. */
  readonly byteLength: number;
  /** Frees the arrays when the submitted work is done; call it after the recorder's `submit`. */
  dispose(): void;
}

/** A primitive whose pipelines are compiled for one runtime. */
export interface Prepared<
  I extends Types = Types,
  O extends Types = Types,
  // biome-ignore lint/complexity/noBannedTypes: no numbers at all, where none are asked for
  P extends Numbers = {},
> {
  /**
   * Adds the steps to a recorder of the runtime. Nothing returns to the host.
   * @param arrays one for every input and output; outputs of at least `lengths` elements, each an array of its own unless the primitive says otherwise
   * @returns the arrays between the steps, to dispose after `submit`
   * @throws GroupwiseError what `Recorder.run` throws; steps before the invalid one remain in the recorder
   */
  record(
    recorder: Recorder,
    arrays: DeviceArraysOf<I & O>,
    ...options: OptionsArgument<P, RecordingOptions>
  ): Temporaries;
  /**
   * Bytes of the arrays between the steps, which a recording allocates: `byteLength` of its result.
   * @param sizes elements of the inputs
   */
  scratchBytes(sizes: LengthsOf<I>, ...options: OptionsArgument<P>): number;
  /** Disposes the executables; compiled objects are freed with the last executable of the same content. */
  dispose(): void;
}

/** Several pipelines, one after the other, as one function of arrays. It runs on any runtime. */
export interface Primitive<
  I extends Types = Types,
  O extends Types = Types,
  // biome-ignore lint/complexity/noBannedTypes: no numbers at all, where none are asked for
  P extends Numbers = {},
> {
  readonly name: string;
  /** Element types of the inputs, by name; the first determines the number of items if `n` is absent. */
  readonly inputs: I;
  /** Element types of the outputs, by name. */
  readonly outputs: O;
  /** The pipelines of the steps, for reading, emitting and explaining. */
  readonly pipelines: Readonly<Record<string, PipelineSource>>;
  /** The number of elements of each output. @param sizes elements of the inputs, the first being the items */
  lengths(sizes: LengthsOf<I>, ...options: OptionsArgument<P>): LengthsOf<O>;
  /** Compiles the pipelines, or finds them in the runtime's cache. */
  prepare(runtime: Runtime): Promise<Prepared<I, O, P>>;
  /**
   * Runs all steps on device arrays and makes the outputs, which the caller disposes. They hold the results
   * when the promise resolves. Counts are among them; nothing is read back.
   */
  run(
    runtime: Runtime,
    arrays: DeviceArraysOf<I>,
    ...options: OptionsArgument<P>
  ): Promise<DeviceArraysOf<O>>;
  /** Runs all steps on host arrays. Outputs whose length is a count are truncated to it. */
  runOn(runtime: Runtime, values: HostArraysOf<I>, ...options: OptionsArgument<P>): Promise<HostArraysOf<O>>;
}

/** Pipelines of steps, by name. */
export type Pipelines = Readonly<Record<string, PipelineSource>>;

/** Records the steps of a primitive, whose pipelines give arrays and parameters their names and types. */
export interface Steps<Q extends Pipelines> {
  /** Adds a step: the pipeline of that name. */
  run<K extends keyof Q & string>(
    pipeline: K,
    arrays: StepArrays<Q[K]>,
    options?: Omit<StepOptions, "scratch">,
  ): void;
  /** An array between steps with undefined contents; freed with the others. */
  array<T extends ArrayType>(type: T, length: number): DeviceArray<T>;
}

/** The number of items of a primitive. */
export interface Items {
  /** For steps over the items. */
  readonly items: number | DeviceCount;
  /** The number of items, or its maximum. */
  readonly n: number;
}

/** The definition of a primitive. */
export interface PrimitiveRules<I extends Types, O extends Types, P extends Numbers, Q extends Pipelines> {
  /** Element types of the inputs, by name. The first one's elements are the items. */
  readonly inputs: I;
  /** Element types of the outputs, by name. */
  readonly outputs: O;
  /** The pipelines, by the names that `steps` uses. */
  readonly pipelines: Q;
  /** For pipelines with an output that uses the array of an input: the names of inputs by those of outputs, as for `Runtime.compile`. */
  readonly inPlace?: { readonly [K in keyof NoInfer<Q>]?: Readonly<Record<string, string>> };
  /** Inputs by the outputs that a recording may write over them; others must be arrays of their own. */
  readonly over?: { readonly [K in keyof O]?: keyof I & string };
  /** What is wrong with the values if a scatter of a step writes outside its output (`scatter-outside`), and what to do; for `run` and `runOn`. */
  readonly outside?: readonly [what: string, remedy: string];
  /** What the numbers must be, by name; others are refused. */
  readonly numbers?: { readonly [K in keyof NoInfer<P>]-?: Wanted };
  /** Elements of each output. */
  lengths(sizes: LengthsOf<I>, numbers: P): LengthsOf<O>;
  /**
   * Outputs whose number of valid elements is another output, a `u32` array of one element; used for host
   * arrays.
   */
  readonly counts?: { readonly [K in keyof O]?: keyof O & string };
  /** Records the steps. */
  steps(steps: Steps<Q>, arrays: DeviceArraysOf<I & O>, items: Items, numbers: P): void;
}

type Arrays = Readonly<Record<string, DeviceArray>>;
type Options = { readonly n?: number | DeviceCount };
type Rules = PrimitiveRules<Types, Types, Numbers, Pipelines>;

const SIZE: Wanted = /*@__PURE__*/ whole(0);
const COUNT: Wanted = /*@__PURE__*/ shaped("a count on the device", { count: OBJECT, max: SIZE });
const ITEMS: Wanted = {
  want: "a whole number of items, from 0 on, or { count, max }",
  is: (value) => SIZE.is(value) || COUNT.is(value),
};
const ARRAY: Wanted = {
  want: "an array",
  is: (value) => OBJECT.is(value) && NUMBER.is((value as { length?: unknown }).length),
};
const SESSION: Wanted = {
  want: "the result of an earlier recording",
  is: (value) => value instanceof RecordingSession,
};
const RULES: Readonly<Record<keyof Required<Rules>, Wanted>> = {
  inputs: /*@__PURE__*/ required(OBJECT),
  outputs: /*@__PURE__*/ required(OBJECT),
  pipelines: /*@__PURE__*/ required(OBJECT),
  inPlace: OBJECT,
  over: OBJECT,
  outside: LIST,
  numbers: OBJECT,
  lengths: /*@__PURE__*/ required(FUNCTION),
  counts: OBJECT,
  steps: /*@__PURE__*/ required(FUNCTION),
};

/** What callers pass to a primitive, checked. */
interface Asked {
  readonly arrays: Arrays;
  /** The lengths of the inputs. */
  readonly sizes: Numbers;
  readonly options: Options;
}

/** Steps that are queued. */
interface Started {
  readonly made: NamedArrays;
  /** What nothing uses any more when the steps are done. */
  readonly held: readonly Disposable[];
  readonly done: Promise<void>;
}

/** A primitive with the types of its rules erased. */
class Definition {
  private readonly name: string;
  private readonly rules: Rules;
  /** The names of the inputs; the elements of the first are the items. */
  private readonly inputs: readonly string[];
  private readonly first: string;
  private readonly outputs: readonly (readonly [string, ArrayType])[];
  /** Of inputs and outputs. */
  private readonly types: Types;
  private readonly options: Readonly<Record<string, Wanted>>;
  private readonly recordingOptions: Readonly<Record<string, Wanted>>;

  constructor(name: string, rules: Rules) {
    this.name = name;
    this.rules = rules;
    this.inputs = Object.keys(rules.inputs);
    this.first = this.inputs[0] as string;
    this.outputs = Object.entries(rules.outputs);
    this.types = { ...rules.inputs, ...rules.outputs };
    this.options = { n: ITEMS, ...rules.numbers };
    this.recordingOptions = { ...this.options, between: SESSION };
  }

  lengths(sizes: Numbers, asked?: Options): Numbers {
    const options = this.read(asked);
    const given = this.named(sizes, "the sizes", this.inputs);
    for (const [name, size] of Object.entries(given))
      requireArgument(size, SIZE, `the size of ${name}`, this.name);
    return this.lengthsOf(given as Numbers, options);
  }

  private lengthsOf(sizes: Numbers, options: Options): Numbers {
    const { n } = options;
    const exact = n === undefined ? sizes : { ...sizes, [this.first]: countOf(n) };
    return this.rules.lengths(exact, options as Numbers);
  }

  /** @throws GroupwiseError `bad-argument`, `bad-usage` */
  private read<T extends Options>(options: T | undefined, known = this.options): T {
    return optionsOf(options, known, `the options of ${this.name}`, this.name) as T;
  }

  /** Values by name: all of these, and no others. @throws GroupwiseError `bad-argument`, `missing-input`, `unknown-input` */
  private named(value: unknown, what: string, known: readonly string[]): Readonly<Record<string, unknown>> {
    const given = recordOf(value, what, this.name);
    const strange = Object.keys(given).find((name) => !known.includes(name));
    if (strange !== undefined) throw errorOf("unknown-input", { name: strange, known }, this.name);
    const missing = known.find((name) => given[name] === undefined);
    if (missing !== undefined) throw errorOf("missing-input", { name: missing, known }, this.name);
    return given;
  }

  /** The lengths of the inputs. */
  private sizesOf(arrays: Readonly<Record<string, unknown>>): Numbers {
    return Object.fromEntries(
      this.inputs.map((key) => {
        requireArgument(arrays[key], ARRAY, `the array ${key}`, this.name);
        return [key, (arrays[key] as { readonly length: number }).length];
      }),
    );
  }

  /** Steps give arrays other names. @throws GroupwiseError `wrong-dtype` */
  private checkTypes(arrays: Readonly<Record<string, unknown>>, types: Types): void {
    for (const [name, type] of Object.entries(types)) {
      const array = arrays[name];
      const own = (array as { readonly type?: unknown } | null)?.type;
      if (own === type) continue;
      const got = typeof own === "string" ? `one of ${own}` : kindOf(array);
      throw errorOf("wrong-dtype", { name, want: `a device array of ${type}`, got }, this.name);
    }
  }

  /** A step may read an input after an output was written. @throws GroupwiseError `bad-buffer` for an output that is another array too */
  private checkApart(arrays: Arrays): void {
    for (const [name] of this.outputs) {
      const isOther = (one: string): boolean => one !== name && one !== this.rules.over?.[name];
      const other = Object.keys(arrays).find((one) => isOther(one) && arrays[one] === arrays[name]);
      if (other === undefined) continue;
      const reason = `it is the array of ${other} too`;
      throw errorOf("bad-buffer", { name, reason, remedy: "pass an array of its own" }, this.name);
    }
  }

  /** @throws GroupwiseError `bad-buffer` if the first input has fewer */
  private itemsOf(sizes: Numbers, { n }: Options): number | DeviceCount {
    const length = sizes[this.first];
    if (n !== undefined && length !== undefined)
      requireElements(this.first, { length }, countOf(n), this.name);
    return n ?? length ?? 0;
  }

  async prepare(runtime: Runtime): Promise<Prepared> {
    requireArguments(arguments, "prepare", { runtime: RUNTIME }, this.name);
    const executables = await compileAll(runtime, this.rules);
    const names = Object.keys(this.types);
    const record = (recorder: Recorder, given: Arrays, asked?: Options & RecordingOptions): Temporaries => {
      requireArgument(recorder, RECORDER, "the recorder", this.name);
      const arrays = this.named(given, "the arrays", names) as Arrays;
      this.checkTypes(arrays, this.types);
      this.checkApart(arrays);
      const options = this.read(asked, this.recordingOptions);
      const { between } = options;
      const session = between instanceof RecordingSession ? between.again() : new RecordingSession(runtime);
      return this.record(session, recorder, executables, { arrays, sizes: this.sizesOf(arrays), options });
    };
    const scratchBytes = (sizes: Numbers, asked?: Options): number => {
      const rooms = this.lengths(sizes, asked);
      const counting = countingRuntime(runtime);
      const made = Object.entries(this.types).map(([name, type]) => [
        name,
        counting.array(type, (sizes[name] ?? rooms[name]) as number),
      ]);
      const session = new RecordingSession(counting);
      const arrays = Object.fromEntries(made) as Arrays;
      const recorder = { run: () => undefined as never };
      const call = { arrays, sizes, options: this.read(asked) };
      return this.record(session, recorder, executables, call).byteLength;
    };
    return Object.freeze({ record, scratchBytes, dispose: () => disposeAll(executables.values()) });
  }

  private record(
    session: RecordingSession,
    recorder: Pick<Recorder, "run">,
    executables: Executables,
    asked: Asked,
  ): RecordingSession {
    const n = this.itemsOf(asked.sizes, asked.options);
    try {
      this.addSteps(session, n, asked);
      session.addTo(recorder, executables, this.inNamesOf(asked));
    } catch (error) {
      session.dispose();
      throw error;
    }
    return session;
  }

  /** The error of a step, whose pipeline has other names for what the caller passes. */
  private inNamesOf({ arrays, options: { n } }: Omit<Asked, "sizes">): NameError {
    return (error, ofStep) => {
      if (!(error instanceof GroupwiseError)) return error;
      const given = Object.entries({ ...arrays, ...(typeof n === "object" && { count: n.count }) });
      const nameOf = (quoted: string, name: string): string => {
        const own = given.find(([, array]) => array === ofStep[name])?.[0];
        return own === undefined ? quoted : JSON.stringify(own);
      };
      const message = error.what.replaceAll(/"(\w+)"/g, nameOf);
      return new GroupwiseError(error.code, { message, hint: error.hint }, this.name, error);
    };
  }

  private addSteps(
    session: RecordingSession,
    n: number | DeviceCount,
    { arrays, options }: Omit<Asked, "sizes">,
  ): void {
    this.rules.steps(session, arrays, { items: n, n: countOf(n) }, options as Numbers);
  }

  async run(runtime: Runtime, given: Arrays, asked?: Options): Promise<Arrays> {
    requireArgument(runtime, RUNTIME, "the runtime", this.name);
    const options = this.read(asked);
    const arrays = this.named(given, "the arrays", this.inputs) as Arrays;
    this.checkTypes(arrays, this.rules.inputs);
    const inputs = this.inputs.map((key) => [key, arrays[key] as DeviceArray] as const);
    const { made, held, done } = await this.start(runtime, inputs, options);
    try {
      await done;
      return Object.fromEntries(made);
    } catch (error) {
      disposeAll(made.map(([, array]) => array));
      throw this.ofRun(error);
    } finally {
      disposeAll(held);
    }
  }

  /** The error of a step that ran, in words of the primitive; that of earlier work stays as it is. */
  private ofRun(error: unknown): unknown {
    const { outside, pipelines } = this.rules;
    const isOwn = (where: string): boolean =>
      Object.values(pipelines).some((one) => pipelineOf(one).name === where);
    if (!(error instanceof GroupwiseError) || !isOwn(error.where)) return error;
    const own = error.code === "scatter-outside" ? outside : undefined;
    const [message, hint] = own ?? [error.what, error.hint];
    return new GroupwiseError(error.code, { message, hint }, this.name, error);
  }

  /** Compiles the pipelines of its steps, and queues these. */
  private async start(runtime: Runtime, inputs: NamedArrays, options: Options): Promise<Started> {
    const made: [string, DeviceArray][] = [];
    const session = new RecordingSession(runtime);
    const held: Disposable[] = [session];
    try {
      // Not by `Object.fromEntries`, for which V8 takes four times as long as for a loop.
      const sizes: Record<string, number> = {};
      for (const [key, { length }] of inputs) sizes[key] = length;
      const n = this.itemsOf(sizes, options);
      const rooms = this.lengthsOf(sizes, options);
      for (const [key, type] of this.outputs) made.push([key, runtime.array(type, rooms[key] as number)]);
      const arrays: Record<string, DeviceArray> = {};
      for (const [key, array] of inputs) arrays[key] = array;
      for (const [key, array] of made) arrays[key] = array;
      const asked = { arrays, options };
      this.addSteps(session, n, asked);
      const executables = await compileAll(runtime, this.rules, [...session.pipelines]);
      for (const one of executables.values()) held.push(one);
      const recorder = runtime.record();
      session.addTo(recorder, executables, this.inNamesOf(asked));
      return { made, held, done: recorder.submit() };
    } catch (error) {
      disposeAll([...made.map(([, array]) => array), ...held]);
      throw error;
    }
  }

  /** A device array of the caller's values. @throws GroupwiseError as `Runtime.array`, with the input's name */
  private taken(runtime: Runtime, key: string, value: unknown): DeviceArray {
    const type = this.types[key] as ArrayType;
    requireArgument(value, ARRAY, `the array ${key}`, this.name);
    try {
      return runtime.array(type, value as HostArrays[typeof type]);
    } catch (error) {
      hostView(type, value, key, this.name);
      throw error;
    }
  }

  async runOn(
    runtime: Runtime,
    given: Readonly<Record<string, HostArray>>,
    asked?: Options,
  ): Promise<Readonly<Record<string, HostArray>>> {
    requireArgument(runtime, RUNTIME, "the runtime", this.name);
    const options = this.read(asked);
    const values = this.named(given, "the arrays", this.inputs);
    const owned: Disposable[] = [];
    try {
      const inputs = this.inputs.map((key) => {
        const array = this.taken(runtime, key, values[key]);
        owned.push(array);
        return [key, array] as const;
      });
      const { made, held, done } = await this.start(runtime, inputs, options);
      for (const [, array] of made) owned.push(array);
      owned.push(...held);
      // Queued at once, so that the host waits for the device once.
      const results = readAll(made, this.rules.counts);
      results.catch(() => {}); // the error of the steps says more
      await done;
      return await results;
    } catch (error) {
      throw this.ofRun(error);
    } finally {
      disposeAll(owned);
    }
  }
}

/**
 * Makes a primitive of several pipelines. Executables come from the runtime's cache, so that each is compiled once.
 * @param name for messages
 * @example
 * ```ts
 * import { pipeline, u32 } from "@groupwise/dsl";
 * import { primitive } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const next = pipeline("next", { x: u32 }, ({ x }) => ({ y: x.add(1) }));
 * const total = pipeline("total", { y: u32 }, ({ y }) => ({ sum: y.reduce("add") }));
 * const sumOfNext = primitive("sum-of-next", {
 *   inputs: { x: "u32" },
 *   outputs: { sum: "u32" },
 *   pipelines: { next, total },
 *   lengths: () => ({ sum: 1 }),
 *   steps: (steps, { x, sum }, { items, n }) => {
 *     const y = steps.array("u32", n);
 *     steps.run("next", { x, y }, { n: items });
 *     steps.run("total", { y, sum }, { n: items });
 *   },
 * });
 * const { sum } = await sumOfNext.runOn(jsRuntime(), { x: Uint32Array.of(1, 2, 3) });
 * console.log(sum); // [9]
 * ```
 */
export function primitive<
  I extends Types,
  O extends Types,
  Q extends Pipelines,
  // biome-ignore lint/complexity/noBannedTypes: no numbers at all, where none are asked for
  P extends Numbers = {},
>(name: string, rules: PrimitiveRules<I, O, P, Q>): Primitive<I, O, P> {
  requireArgument(name, TEXT, "the name of a primitive");
  optionsOf(rules, RULES, "the rules of a primitive", name);
  const { inputs, outputs, pipelines } = rules;
  const one = new Definition(name, rules as unknown as Rules);
  const made = {
    ...{ name, inputs, outputs, pipelines },
    lengths: one.lengths.bind(one),
    prepare: one.prepare.bind(one),
    run: one.run.bind(one),
    runOn: one.runOn.bind(one),
  };
  return Object.freeze(made) as unknown as Primitive<I, O, P>;
}
