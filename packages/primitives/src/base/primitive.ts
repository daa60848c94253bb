/** Primitives of several steps: pipelines that pass data to one another in arrays on the device. */
import type {
  DeviceArray,
  DeviceCount,
  Executable,
  HostArray,
  HostArrays,
  PipelineSource,
  Recorder,
  RunArrays,
  Runtime,
  Scalar,
  StepArrays,
  StepOptions,
} from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";

/** Element types by name. */
export type Types = Readonly<Record<string, Scalar>>;
/** Numbers that the host knows, by name: capacities, widths. */
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

/** Numbers are required if a primitive needs them. */
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
  /** Bytes of them. */
  readonly byteLength: number;
  /** Frees them when the submitted work is done; call it after the recorder's `submit`. */
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
   * @param arrays one for every input and output; outputs of at least `lengths` elements
   * @returns the arrays between the steps, to dispose after `submit`
   * @throws GroupwiseError what `Recorder.run` throws; steps before the invalid one remain in the recorder
   */
  record(
    recorder: Recorder,
    arrays: DeviceArraysOf<I & O>,
    ...options: OptionsArgument<P, RecordingOptions>
  ): Temporaries;
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
  /** Element types of the inputs, by name; the first gives the number of items if `n` is absent. */
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
  array<T extends Scalar>(type: T, length: number): DeviceArray<T>;
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

const countOf = (n: number | DeviceCount): number => (typeof n === "number" ? n : n.max);

/**
 * Makes a primitive of several pipelines. Executables come from the runtime's cache, so that each is compiled once.
 * @param name for messages
 */
export function primitive<
  I extends Types,
  O extends Types,
  Q extends Pipelines,
  // biome-ignore lint/complexity/noBannedTypes: no numbers at all, where none are asked for
  P extends Numbers = {},
>(name: string, rules: PrimitiveRules<I, O, P, Q>): Primitive<I, O, P> {
  const first = Object.keys(rules.inputs)[0] as string;
  const { inputs, outputs } = rules;
  const lengths = (sizes: Numbers, options: Options = {}): Numbers =>
    rules.lengths(
      { ...sizes, ...(options.n !== undefined && { [first]: countOf(options.n) }) } as LengthsOf<I>,
      options as P,
    );
  const sizesOf = (arrays: Readonly<Record<string, { readonly length: number }>>): Numbers =>
    Object.fromEntries(
      Object.keys(inputs).map((key) => {
        const array = arrays[key];
        if (array === undefined)
          throw errorOf("missing-input", { name: key, known: Object.keys(inputs) }, name);
        return [key, array.length];
      }),
    );

  const prepare = async (runtime: Runtime): Promise<Prepared> => {
    const compiled = Object.entries(rules.pipelines).map(
      async ([key, source]) => [key, await runtime.compile(source)] as const,
    );
    const settled = await Promise.allSettled(compiled);
    const executables = new Map(settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])));
    const dispose = (): void => {
      for (const executable of executables.values()) executable.dispose();
    };
    const failed = settled.find((one) => one.status === "rejected");
    if (failed) {
      dispose();
      throw failed.reason;
    }
    const record = (
      recorder: Recorder,
      arrays: Arrays,
      options: Options & RecordingOptions = {},
    ): Temporaries => {
      const n = options.n ?? sizesOf(arrays)[first] ?? 0;
      const { between } = options;
      const session = between instanceof Session ? between.again() : new Session(runtime, executables);
      try {
        rules.steps(
          session,
          arrays as DeviceArraysOf<I & O>,
          { items: n, n: countOf(n) },
          options as unknown as P,
        );
        session.addTo(recorder);
      } catch (error) {
        session.dispose();
        throw error;
      }
      return session;
    };
    return Object.freeze({ record, dispose });
  };

  const run = async (runtime: Runtime, arrays: Arrays, options: Options = {}): Promise<Arrays> => {
    const prepared = await prepare(runtime);
    const made: Record<string, DeviceArray> = {};
    try {
      const rooms = lengths(sizesOf(arrays), options);
      for (const [key, type] of Object.entries(outputs))
        made[key] = runtime.array(type, rooms[key] as number);
      const recorder = runtime.record();
      const between = prepared.record(recorder, { ...arrays, ...made }, options);
      await recorder.submit().finally(() => between.dispose());
      return made;
    } catch (error) {
      for (const array of Object.values(made)) array.dispose();
      throw error;
    } finally {
      prepared.dispose();
    }
  };

  const runOn = async (
    runtime: Runtime,
    values: Readonly<Record<string, HostArray>>,
    options: Options = {},
  ): Promise<Readonly<Record<string, HostArray>>> => {
    const sizes = sizesOf(values);
    const owned: DeviceArray[] = [];
    try {
      const arrays = Object.entries(inputs).map(([key, type]) => {
        const array = runtime.array(type, values[key] as HostArrays[typeof type]);
        owned.push(array);
        return [key, array] as const;
      });
      const told = { n: sizes[first] as number, ...options };
      const made = await run(runtime, Object.fromEntries(arrays), told);
      owned.push(...Object.values(made));
      const rooms = lengths(sizes, told);
      const all = await Promise.all(
        Object.keys(outputs).map(async (key) => [key, await (made[key] as DeviceArray).read()] as const),
      );
      const read: Readonly<Record<string, HostArray>> = Object.fromEntries(all);
      return Object.fromEntries(
        all.map(([key, array]) => {
          const counted = rules.counts?.[key];
          const valid = counted === undefined ? Number.POSITIVE_INFINITY : Number(read[counted]?.[0]);
          return [key, array.subarray(0, Math.min(rooms[key] as number, valid)) as HostArray];
        }),
      );
    } finally {
      for (const array of owned) array.dispose();
    }
  };
  const made = { name, inputs, outputs, pipelines: rules.pipelines, lengths, prepare, run, runOn };
  return Object.freeze(made) as unknown as Primitive<I, O, P>;
}

/** The steps of one recording: one scratch for all, since they run one after the other. */
class Session implements Steps<Pipelines>, Temporaries {
  private readonly runtime: Runtime;
  private readonly executables: ReadonlyMap<string, Executable>;
  /** In the order in which steps request them. */
  private owned: DeviceArray[] = [];
  /** Arrays that were too short for a later recording. */
  private readonly outgrown: DeviceArray[] = [];
  private asked = 0;
  private steps: [Executable, RunArrays, StepOptions & { readonly n?: number | DeviceCount }][] = [];

  constructor(runtime: Runtime, executables: ReadonlyMap<string, Executable>) {
    this.runtime = runtime;
    this.executables = executables;
  }

  get byteLength(): number {
    return [...this.owned, ...this.outgrown].reduce((sum, array) => sum + array.byteLength, 0);
  }

  /** Reuses the arrays for another recording. */
  again(): this {
    this.asked = 0;
    return this;
  }

  array<T extends Scalar>(type: T, length: number): DeviceArray<T> {
    const at = this.asked++;
    const known = this.owned[at] as DeviceArray<T> | undefined;
    if (known?.type === type && known.length >= length)
      return known.length === length ? known : known.slice(0, length);
    if (known) this.outgrown.push(known);
    const array = this.runtime.array(type, length);
    this.owned[at] = array;
    return array;
  }

  run(pipeline: string, arrays: RunArrays, options: StepOptions = {}): void {
    this.steps.push([this.executables.get(pipeline) as Executable, arrays, options]);
  }

  addTo(recorder: Recorder): void {
    const bytes = this.steps.map(([executable, , { n, globalSize }]) =>
      n === undefined && globalSize === undefined
        ? 0
        : executable.scratchBytes(globalSize ?? countOf(n as number | DeviceCount)),
    );
    const most = Math.max(0, ...bytes);
    const scratch = most > 0 ? this.array("u32", Math.ceil(most / 4)) : undefined;
    const steps = this.steps;
    this.steps = [];
    steps.forEach(([executable, arrays, options], i) => {
      recorder.run(executable, arrays, { ...options, ...(scratch && bytes[i] && { scratch }) });
    });
  }

  dispose(): void {
    for (const array of [...this.owned, ...this.outgrown]) array.dispose();
    this.owned = [];
    this.outgrown.length = 0;
  }
}
