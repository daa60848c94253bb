/** A compiled pipeline that runs on arrays of this process. */
import type { HostArray, Manifest, RunOptions, RunOutputs, RunValues } from "@groupwise/core";
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
} from "@groupwise/core/target";
import type { Library } from "./library.ts";
import { argumentsOf } from "./shim.ts";

export const DEVICE = "C";

type Arrays = ReadonlyMap<string, HostArray>;

/** What stands for an array without elements: kernels read the first element of a table and may drop it. */
const NOTHING = new Uint8Array(8);

export class Program implements HostProgram {
  readonly manifest: Manifest;
  private readonly library: Library;
  private readonly host: HostDevice;
  private readonly release: () => void;
  private isOpen = true;

  constructor(manifest: Manifest, library: Library, host: HostDevice, release: () => void) {
    this.manifest = manifest;
    this.library = library;
    this.host = host;
    this.release = release;
  }

  check(): void {
    this.host.check();
    if (!this.isOpen) throw errorOf("disposed", { what: this.manifest.pipeline });
  }

  dispose(): void {
    if (this.isOpen) this.release();
    this.isOpen = false;
  }

  /** Runs before it returns, so that callers can change their arrays afterwards. */
  runArrays(values: RunValues, options?: RunOptions): RunOutputs {
    this.check();
    const { inputs, ...launch } = prepareRun(this.manifest, values, options);
    // Outputs must not alias the caller's arrays.
    const isOverwritten = new Set(
      this.manifest.bindings.flatMap((b) => (b.inPlace === undefined ? [] : [b.name])),
    );
    const given = new Map(
      [...inputs].map(([name, array]) => [
        name,
        isOverwritten.has(name) ? (array.slice() as HostArray) : array,
      ]),
    );
    const arrays = this.call(launch, given);
    return finishRun(this.manifest, Object.fromEntries(arrays), this.statusIn(arrays));
  }

  run({ arrays, launch }: HostStep): void {
    const given = new Map([...arrays].map(([name, { values }]) => [name, values]));
    for (const binding of this.manifest.bindings)
      if (binding.cleared) clear(given.get(binding.name)?.subarray(0, elementsOf(binding, launch)));
    checkScatters(this.manifest, this.statusIn(this.call(launch, given)));
  }

  /** Each run makes its own scratch. */
  scratchBytes(): number {
    return 0;
  }

  /** Calls the kernel; arrays that are not given are made. */
  private call(launch: Launch, given: Arrays): Arrays {
    const made = this.manifest.bindings.map((binding) => {
      const { name, type } = binding;
      return [name, given.get(name) ?? hostZeros(type, elementsOf(binding, launch), DEVICE)] as const;
    });
    const arrays = new Map(made);
    const { arrays: names, scalars } = argumentsOf(this.manifest, launch);
    const passed = names.map((name) => arrays.get(name) as HostArray);
    this.library.call(
      passed.map((array) => (array.length > 0 ? array : NOTHING)),
      scalars,
    );
    return arrays;
  }

  private statusIn(arrays: Arrays): ArrayLike<number> {
    const status = this.manifest.bindings.find(({ role }) => role === "status");
    return status ? (arrays.get(status.name) as Uint32Array) : [];
  }
}

function clear(array: HostArray | undefined): void {
  if (array) new Uint8Array(array.buffer, array.byteOffset, array.byteLength).fill(0);
}
