/** A compiled pipeline that runs on arrays of this process. */
import type { Sides } from "@groupwise/ir/base/formula.js";
import { arraySpec } from "@groupwise/ir/tables/narrow.js";
import type { HostArray } from "@groupwise/ir/tables/scalar.js";
import type { RunOptions } from "../api/runtime.ts";
import type { RunOutputs, RunValues } from "../api/typed.ts";
import { elementsOf, type Launch, prepareRun } from "../checks/host.ts";
import { checkStatus, finishRun } from "../checks/results.ts";
import type { Binding, Manifest } from "../plan/manifest.ts";
import { clear, copyOf, type HostDeviceArray, hostZeros } from "./host-array.ts";
import type { HostDevice, HostProgram } from "./host-device.ts";
import { Owned } from "./owned.ts";
import { scratchPlan } from "./scratch.ts";
import { type Spare, spareOf } from "./spare.ts";
import type { Step } from "./step.ts";

/** Alignment in bytes that is sufficient for typed arrays of any type. */
const ALIGNMENT = 8;

/** Bytes that may stand between arrays. */
const SPARE = 16;

/** Calls the loops of a pipeline: the launch scalars, and an array for each binding by name. */
export type Call = (launch: Launch, arrays: ReadonlyMap<string, HostArray>) => void | Promise<void>;

/** Memory for the arrays of a run that other threads compute. */
export interface ArrayMemory {
  /** Elements of a binding: zeros if it is cleared, otherwise any. @throws GroupwiseError `device-error` */
  make(binding: Pick<Binding, "type" | "cleared">, length: number): HostArray;
  /** Whether the loops can use a caller's array in place. */
  has(array: HostArray): boolean;
  /** A copy of a caller's array. @throws GroupwiseError `device-error` */
  copy(array: HostArray): HostArray;
  /** The caller's view of an output: the array, or a copy of it. */
  give(array: HostArray): HostArray;
  /** Takes back arrays of a run that is over. */
  free(arrays: readonly HostArray[]): void;
  /** Takes back all arrays of a run that threw an error after its loops; absent if nothing else holds them. */
  abandon?(): void;
}

/** The parts of an {@link ArrayProgram}. */
export interface ArrayProgramParts {
  readonly manifest: Manifest;
  readonly host: HostDevice;
  readonly call: Call;
  /**
   * The memory for a run; undefined or absent for this thread's own memory, in which inputs are read in place.
   * @param bytes of the arrays that the run makes or copies, each with {@link SPARE} more
   * @param isStep whether it is a step, whose other arrays are device arrays
   */
  readonly memory?: (launch: Launch, bytes: number, isStep: boolean) => ArrayMemory | undefined;
  /** Whether inputs in memory that threads share are read in place. */
  readonly keepsShared?: boolean;
  /** Called when the program was disposed of, and its last run is done. */
  readonly release: () => void;
}

/** Prepares the arrays of a run or a step, calls the loops, and checks the reported status. */
export class ArrayProgram implements HostProgram {
  readonly manifest: Manifest;
  private readonly parts: ArrayProgramParts;
  readonly owned: Owned;

  constructor(parts: ArrayProgramParts) {
    this.manifest = parts.manifest;
    this.parts = parts;
    this.owned = new Owned(parts.manifest.pipeline, parts.release);
  }

  /**
   * Retains the program for a run; the returned function releases it.
   * @throws GroupwiseError `disposed`
   */
  use(): () => void {
    this.parts.host.check();
    return this.owned.use();
  }

  /** Reads all arguments before it returns, so that callers can change them afterwards. */
  runArrays(values: RunValues, options?: RunOptions): RunOutputs | Promise<RunOutputs> {
    const { keepsShared } = this.parts;
    const launch = prepareRun(this.manifest, values, options, keepsShared);
    const { bindings } = this.manifest;
    const lengths = bindings.map((binding) => elementsOf(binding, launch));
    const memory = this.parts.memory?.(launch, bytesOfArrays(bindings, lengths), false);
    const spare = spareOf(this.manifest, options, keepsShared);
    const arrays = new Map<string, HostArray>();
    // Those that are not the caller's.
    const own: HostArray[] = [];
    const use = (name: string, array: HostArray, isOwn: boolean): void => {
      arrays.set(name, array);
      if (isOwn) own.push(array);
    };
    for (const [i, binding] of bindings.entries()) {
      const { name, inPlace } = binding;
      const given = launch.inputs.get(name);
      const length = lengths[i] as number;
      const old = given ? undefined : spare(binding, length);
      if (given) use(name, ...this.inputOf(given, inPlace !== undefined, memory));
      else if (old && memory?.has(old) !== false) use(name, cleared(old, binding), false);
      else use(name, memory?.make(binding, length) ?? this.zeros(binding, length), true);
    }
    const finish = (): RunOutputs => orAbandon(memory, () => this.finish(arrays, { memory, own, spare }));
    const running = this.parts.call(launch, arrays);
    return running ? running.then(finish) : finish();
  }

  run(step: Step<HostDeviceArray>, launch: Launch): void | Promise<void> {
    const { arrays: given, scratch, launch: most } = step;
    const places = scratchPlan(this.manifest, most, {
      alignment: ALIGNMENT,
      given: ({ name }) => given.has(name),
    });
    const missing = this.manifest.bindings.filter(({ name }) => !scratch && places.offsets.has(name));
    const lengths = missing.map((binding) => elementsOf(binding, most));
    const memory = this.parts.memory?.(launch, bytesOfArrays(missing, lengths), true);
    // Views of memory that may have grown.
    const arrays = new Map([...given].map(([name, { values }]) => [name, values]));
    const own: HostArray[] = [];
    for (const binding of this.manifest.bindings) {
      const { name, type } = binding;
      const elements = elementsOf(binding, most);
      const place = places.offsets.get(name);
      if (place !== undefined) {
        const made = scratch ? undefined : (memory?.make(binding, elements) ?? this.zeros(binding, elements));
        arrays.set(name, made ?? placed((scratch as HostDeviceArray).values, type, place, elements));
        if (made) own.push(made);
      }
      if (binding.cleared) clear(arrays.get(name) as HostArray, elements);
    }
    const finish = (): void =>
      orAbandon(memory, () => {
        checkStatus(this.manifest, this.statusIn(arrays));
        memory?.free(own);
      });
    const running = this.parts.call(launch, arrays);
    return running ? running.then(finish) : finish();
  }

  scratchBytes(sides: Sides): number {
    const { bytes } = scratchPlan(this.manifest, sides, { alignment: ALIGNMENT });
    // A slice may be unaligned.
    return bytes === 0 ? 0 : bytes + ALIGNMENT;
  }

  private zeros({ type }: Binding, elements: number): HostArray {
    return hostZeros(type, elements, this.parts.host.name);
  }

  /** The array that the loops read, and whether it is a copy. Outputs must not alias the caller's arrays. */
  private inputOf(
    given: HostArray,
    isChanged: boolean,
    memory: ArrayMemory | undefined,
  ): [array: HostArray, isOwn: boolean] {
    if (memory && (isChanged || !memory.has(given))) return [memory.copy(given), true];
    return isChanged ? [copyOf(given), true] : [given, false];
  }

  private finish(arrays: ReadonlyMap<string, HostArray>, { memory, own, spare }: Made): RunOutputs {
    const outputs = finishRun(this.manifest, arrays, this.statusIn(arrays));
    if (!memory) return outputs;
    const kept: HostArray[] = [];
    for (const binding of this.manifest.bindings) {
      const array = outputs[binding.name];
      if (array === undefined) continue;
      const old = memory.has(array) ? undefined : spare(binding, array.length);
      old?.set(array as never);
      const given = old ?? memory.give(array);
      outputs[binding.name] = given;
      kept.push(given);
    }
    memory.free(own.filter((array) => !kept.includes(array)));
    return outputs;
  }

  private statusIn(arrays: ReadonlyMap<string, HostArray>): ArrayLike<number> {
    const status = this.manifest.bindings.find(({ role }) => role === "status");
    return status ? (arrays.get(status.name) as Uint32Array) : [];
  }
}

/** The bytes of arrays, each with {@link SPARE} more. */
export function bytesOfArrays(bindings: readonly Binding[], lengths: readonly number[]): number {
  const bytesOf = ({ type }: Binding, i: number): number =>
    (lengths[i] as number) * arraySpec(type).hostBytes + SPARE;
  return bindings.reduce((sum, binding, i) => sum + bytesOf(binding, i), 0);
}

function orAbandon<T>(memory: ArrayMemory | undefined, finish: () => T): T {
  try {
    return finish();
  } catch (error) {
    memory?.abandon?.();
    throw error;
  }
}

/** What a run made. */
interface Made {
  readonly memory: ArrayMemory | undefined;
  /** Arrays that the caller does not have. */
  readonly own: readonly HostArray[];
  readonly spare: Spare;
}

function cleared(array: HostArray, binding: Binding): HostArray {
  if (binding.cleared) clear(array, array.length);
  return array;
}

/** Elements of a type in the bytes of another array. */
function placed(scratch: HostArray, type: Binding["type"], place: number, elements: number): HostArray {
  const start = Math.ceil(scratch.byteOffset / ALIGNMENT) * ALIGNMENT + place;
  const array = arraySpec(type).array as unknown as new (
    buffer: ArrayBufferLike,
    offset: number,
    length: number,
  ) => HostArray;
  return new array(scratch.buffer, start, elements);
}
