/** An imported module that runs on arrays of this process. */
import type {
  Binding,
  HostArray,
  Manifest,
  RunOptions,
  RunOutputs,
  RunValues,
  ScalarValue,
  Sides,
} from "@groupwise/core";
import {
  checkScatters,
  elementsOf,
  errorOf,
  finishRun,
  type HostDevice,
  type HostProgram,
  type HostStep,
  hostZeros,
  type Launch,
  prepareRun,
  SCALARS,
  scratchPlan,
} from "@groupwise/core/target";

/** What an emitted module exports, as far as a runtime needs it. */
export interface JsModule {
  /** The loops: launch scalars, then arrays, in the manifest's order. */
  readonly kernel: (...args: (ScalarValue | HostArray)[]) => void;
}

export const DEVICE = "JavaScript";

/** Bytes: typed arrays of any type begin at multiples of it. */
const ALIGNMENT = 8;

type Arrays = ReadonlyMap<string, HostArray>;

export class Program implements HostProgram {
  readonly manifest: Manifest;
  private readonly module: JsModule;
  private readonly host: HostDevice;
  private readonly release: () => void;
  private isOpen = true;

  constructor(manifest: Manifest, module: JsModule, host: HostDevice, release: () => void) {
    this.manifest = manifest;
    this.module = module;
    this.host = host;
    this.release = release;
  }

  check(): void {
    this.host.check();
    if (!this.isOpen) throw errorOf("disposed", { what: this.manifest.pipeline });
  }

  dispose(): void {
    this.isOpen = false;
    this.release();
  }

  /** Reads all arguments before it returns, so that callers can change them afterwards. */
  runArrays(values: RunValues, options?: RunOptions): RunOutputs {
    this.check();
    const { inputs, ...launch } = prepareRun(this.manifest, values, options);
    const arrays = new Map<string, HostArray>();
    for (const binding of this.manifest.bindings) {
      const { name, type, inPlace } = binding;
      const given = inputs.get(name);
      // Outputs must not alias the caller's arrays.
      if (given) arrays.set(name, inPlace === undefined ? given : (given.slice() as HostArray));
      else arrays.set(name, hostZeros(type, elementsOf(binding, launch), DEVICE));
    }
    this.call(launch, arrays);
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
          scratch ? placed(scratch.values, type, place, elements) : hostZeros(type, elements, DEVICE),
        );
      if (binding.cleared) clear(arrays.get(name) as HostArray, elements);
    }
    this.call(launch, arrays);
    checkScatters(this.manifest, this.statusIn(arrays));
  }

  scratchBytes(sides: Sides): number {
    const { bytes } = scratchPlan(this.manifest, sides, { alignment: ALIGNMENT });
    // A slice may be unaligned.
    return bytes === 0 ? 0 : bytes + ALIGNMENT;
  }

  private call(launch: Launch, arrays: Arrays): void {
    const { bindings } = this.manifest;
    this.module.kernel(
      ...launch.params.map(({ value }) => value),
      ...bindings.map((binding) => viewOf(binding, arrays.get(binding.name) as HostArray)),
    );
  }

  private statusIn(arrays: Arrays): ArrayLike<number> {
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
  const array = SCALARS[type].array as unknown as new (
    buffer: ArrayBufferLike,
    offset: number,
    length: number,
  ) => HostArray;
  return new array(scratch.buffer, start, elements);
}

/** The view that kernels use: the words of 64-bit integers. */
function viewOf({ type, memory }: Binding, array: HostArray): HostArray {
  if (memory !== "u32" || type === "u32") return array;
  if (new Uint8Array(Uint32Array.of(1).buffer)[0] !== 1)
    throw errorOf("unsupported", {
      what: type,
      reason: "its words are accessible on little-endian machines only",
    });
  return new Uint32Array(array.buffer, array.byteOffset, 2 * array.length);
}
