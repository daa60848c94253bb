/** A compiled pipeline that runs on arrays of this process. */
import { errorOf } from "../../ir/base/errors.ts";
import type { Sides } from "../../ir/base/formula.ts";
import { arraySpec } from "../../ir/tables/narrow.ts";
import type { HostArray } from "../../ir/tables/scalar.ts";
import type { RunOptions } from "../api/runtime.ts";
import type { RunOutputs, RunValues } from "../api/typed.ts";
import { elementsOf, type Launch, prepareRun } from "../checks/host.ts";
import { checkScatters, finishRun } from "../checks/results.ts";
import type { Binding, Manifest } from "../plan/manifest.ts";
import { hostZeros } from "./host-array.ts";
import type { HostDevice, HostProgram, HostStep } from "./host-device.ts";
import { scratchPlan } from "./scratch.ts";

/** Bytes: typed arrays of any type begin at multiples of it. */
const ALIGNMENT = 8;

/** Calls the loops of a pipeline: the launch scalars, and an array for each binding by name. */
export type Call = (launch: Launch, arrays: ReadonlyMap<string, HostArray>) => void;

/** What an {@link ArrayProgram} is made of. */
export interface ArrayProgramParts {
  readonly manifest: Manifest;
  readonly host: HostDevice;
  readonly call: Call;
  /** Called when the program is disposed of. */
  readonly release: () => void;
}

/** Prepares the arrays of a run or a step, calls the loops, and checks what they report. */
export class ArrayProgram implements HostProgram {
  readonly manifest: Manifest;
  private readonly parts: ArrayProgramParts;
  private isOpen = true;

  constructor(parts: ArrayProgramParts) {
    this.manifest = parts.manifest;
    this.parts = parts;
  }

  check(): void {
    this.parts.host.check();
    if (!this.isOpen) throw errorOf("disposed", { what: this.manifest.pipeline });
  }

  /** Releases the program once; later calls do nothing. */
  dispose(): void {
    if (this.isOpen) this.parts.release();
    this.isOpen = false;
  }

  /** Reads all arguments before it returns, so that callers can change them afterwards. */
  runArrays(values: RunValues, options?: RunOptions): RunOutputs {
    this.check();
    const { inputs, ...launch } = prepareRun(this.manifest, values, options);
    const arrays = new Map<string, HostArray>();
    for (const binding of this.manifest.bindings) {
      const { name, inPlace } = binding;
      const given = inputs.get(name);
      // Outputs must not alias the caller's arrays.
      if (given) arrays.set(name, inPlace === undefined ? given : (given.slice() as HostArray));
      else arrays.set(name, this.zeros(binding, elementsOf(binding, launch)));
    }
    this.parts.call(launch, arrays);
    return finishRun(this.manifest, Object.fromEntries(arrays), this.statusIn(arrays));
  }

  run({ arrays: given, scratch, launch, most }: HostStep): void {
    const arrays = new Map([...given].map(([name, { values }]) => [name, values]));
    const places = scratchPlan(this.manifest, most, {
      alignment: ALIGNMENT,
      given: ({ name }) => arrays.has(name),
    });
    for (const binding of this.manifest.bindings) {
      const { name, type } = binding;
      const elements = elementsOf(binding, most);
      const place = places.offsets.get(name);
      if (place !== undefined)
        arrays.set(
          name,
          scratch ? placed(scratch.values, type, place, elements) : this.zeros(binding, elements),
        );
      if (binding.cleared) clear(arrays.get(name) as HostArray, elements);
    }
    this.parts.call(launch, arrays);
    checkScatters(this.manifest, this.statusIn(arrays));
  }

  scratchBytes(sides: Sides): number {
    const { bytes } = scratchPlan(this.manifest, sides, { alignment: ALIGNMENT });
    // A slice may be unaligned.
    return bytes === 0 ? 0 : bytes + ALIGNMENT;
  }

  private zeros({ type }: Binding, elements: number): HostArray {
    return hostZeros(type, elements, this.parts.host.name);
  }

  private statusIn(arrays: ReadonlyMap<string, HostArray>): ArrayLike<number> {
    const status = this.manifest.bindings.find(({ role }) => role === "status");
    return status ? (arrays.get(status.name) as Uint32Array) : [];
  }
}

const clear = (array: HostArray, elements: number): void => {
  const first = array.subarray(0, elements);
  if (first instanceof BigInt64Array || first instanceof BigUint64Array) first.fill(0n);
  else first.fill(0);
};

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
