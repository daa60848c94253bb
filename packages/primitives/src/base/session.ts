/** The resources of a run of several pipelines: executables, and the arrays between them. */
import type {
  ArrayType,
  DeviceArray,
  DeviceCount,
  Executable,
  HostArray,
  PipelineSource,
  Recorder,
  Runtime,
  StepOptions,
} from "@groupwise/core";
import { layoutOf, type RunArrays } from "@groupwise/core/target";
import type { Numbers, Pipelines, PrimitiveRules, Steps, Temporaries, Types } from "./primitive.ts";

/** The maximum number of items of a run. */
export const countOf = (n: number | DeviceCount): number => (typeof n === "number" ? n : n.max);

/** Arrays with their names. */
export type NamedArrays = readonly (readonly [name: string, array: DeviceArray])[];

/** What is freed when it is not needed any more. */
export interface Disposable {
  dispose(): void;
}

export function disposeAll(list: Iterable<Disposable>): void {
  for (const one of list) one.dispose();
}

/** The error of a step with these arrays, in the names of the caller. */
export type NameError = (error: unknown, arrays: RunArrays) => unknown;

/** Pipelines by name. */
export type Executables = ReadonlyMap<string, Executable>;

/** Compiles all or, if one fails, keeps none. @param inPlace inputs by the outputs that use their arrays, for some pipelines */
export async function compileAll(
  runtime: Runtime,
  {
    pipelines,
    inPlace = {},
  }: Pick<PrimitiveRules<Types, Types, Numbers, Pipelines>, "pipelines" | "inPlace">,
  names: readonly string[] = Object.keys(pipelines),
): Promise<Executables> {
  const compiling = names.map((name): Promise<Executable> => {
    const own = inPlace[name];
    return runtime.compile(pipelines[name] as PipelineSource, (own && { inPlace: own }) as never);
  });
  try {
    const made = new Map<string, Executable>();
    for (const [i, executable] of (await Promise.all(compiling)).entries())
      made.set(names[i] as string, executable);
    return made;
  } catch (error) {
    for (const one of await Promise.allSettled(compiling))
      if (one.status === "fulfilled") one.value.dispose();
    throw error;
  }
}

/**
 * The valid elements of outputs.
 * @param counts the outputs that are numbers of valid elements of others
 */
export async function readAll(
  made: NamedArrays,
  counts: Readonly<Partial<Record<string, string>>> = {},
): Promise<Readonly<Record<string, HostArray>>> {
  const arrays: readonly HostArray[] = await Promise.all(made.map(([, array]) => array.read()));
  const valid: Record<string, HostArray> = {};
  for (const [i, [name]] of made.entries()) {
    const array = arrays[i] as HostArray;
    const counted = made.findIndex(([other]) => other === counts[name]);
    valid[name] = counted < 0 ? array : (array.subarray(0, Number(arrays[counted]?.[0])) as HostArray);
  }
  return valid;
}

/** An array that has a length and no memory. */
function emptyArray<T extends ArrayType>(type: T, length: number, bytes: number): DeviceArray<T> {
  const slice = (from: number, to: number = length): DeviceArray<T> => emptyArray(type, to - from, bytes);
  return { type, length, byteLength: length * bytes, slice, dispose: () => {} } as unknown as DeviceArray<T>;
}

/** Makes arrays as a runtime does, without memory: steps over them are counted and do not run. */
export function countingRuntime({ capabilities }: Runtime): Pick<Runtime, "array"> {
  const array = <T extends ArrayType>(type: T, length: number): DeviceArray<T> =>
    emptyArray(type, length, layoutOf(type, capabilities).bytesPerElement);
  return { array: array as Runtime["array"] };
}

/** The steps of one recording: one scratch for all, since they run one after the other. */
export class RecordingSession implements Steps<Pipelines>, Temporaries {
  private readonly runtime: Pick<Runtime, "array">;
  /** In the order in which steps request them. */
  private owned: DeviceArray[] = [];
  /** Arrays that were too short for a later recording. */
  private readonly outgrown: DeviceArray[] = [];
  private asked = 0;
  private steps: [pipeline: string, RunArrays, StepOptions & { readonly n?: number | DeviceCount }][] = [];

  /** The names of the pipelines of all steps. */
  readonly pipelines: Set<string> = new Set();

  constructor(runtime: Pick<Runtime, "array">) {
    this.runtime = runtime;
  }

  get byteLength(): number {
    return [...this.owned, ...this.outgrown].reduce((sum, array) => sum + array.byteLength, 0);
  }

  /** Reuses the arrays for another recording. */
  again(): this {
    this.asked = 0;
    return this;
  }

  array<T extends ArrayType>(type: T, length: number): DeviceArray<T> {
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
    this.steps.push([pipeline, arrays, options]);
    this.pipelines.add(pipeline);
  }

  addTo(recorder: Pick<Recorder, "run">, executables: Executables, errorFor: NameError): void {
    const compiled = (pipeline: string): Executable => executables.get(pipeline) as Executable;
    const bytes = this.steps.map(([pipeline, , { n, globalSize }]) =>
      n === undefined && globalSize === undefined
        ? 0
        : compiled(pipeline).scratchBytes(globalSize ?? countOf(n as number | DeviceCount)),
    );
    const most = Math.max(0, ...bytes);
    const scratch = most > 0 ? this.array("u32", Math.ceil(most / 4)) : undefined;
    const steps = this.steps;
    this.steps = [];
    steps.forEach(([pipeline, arrays, options], i) => {
      try {
        recorder.run(compiled(pipeline), arrays, scratch && bytes[i] ? { ...options, scratch } : options);
      } catch (error) {
        throw errorFor(error, arrays);
      }
    });
  }

  dispose(): void {
    for (const array of [...this.owned, ...this.outgrown]) array.dispose();
    this.owned = [];
    this.outgrown.length = 0;
  }
}
