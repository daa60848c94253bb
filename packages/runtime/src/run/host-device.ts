/** Arrays and recorders of runtimes whose device is the host. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Sides } from "@groupwise/ir/base/formula.js";
import { type ArrayType, arraySpec } from "@groupwise/ir/tables/narrow.js";
import type { HostArray } from "@groupwise/ir/tables/scalar.js";
import type { DeviceArray } from "../api/device-array.ts";
import type { Executable, Recorder, StepOptions } from "../api/runtime.ts";
import type { HostArrays, RunArrays } from "../api/typed.ts";
import { foreignExecutable } from "../checks/arguments.ts";
import { newArray } from "../checks/checks.ts";
import type { Launch } from "../checks/host.ts";
import type { Manifest } from "../plan/manifest.ts";
import { clear, type Host, HostDeviceArray, hostZeros, type Zeros } from "./host-array.ts";
import { marks } from "./marks.ts";
import { submitted, useOf } from "./outcomes.ts";
import type { Owned } from "./owned.ts";
import { launchFor, prepareStep, type Step } from "./step.ts";

/** How a host runtime runs compiled pipelines. */
export interface HostProgram {
  readonly manifest: Manifest;
  /** Its release, which waits for the steps that were submitted. */
  readonly owned: Pick<Owned, "check" | "use">;
  /** Runs one step, whose arrays are checked. @param launch that of the step, or of fewer items if it has a count */
  run(step: Step<HostDeviceArray>, launch: Launch): void | Promise<void>;
  /** Scratch bytes for a range of this shape. */
  scratchBytes(sides: Sides): number;
}

/** Bytes of the longest memory that is kept, and how many are. */
const LONGEST = 2 ** 17;
const MOST = 32;

interface Recorded {
  readonly program: HostProgram;
  readonly step: Step<HostDeviceArray>;
}

/** One per runtime: objects of other runtimes are refused. */
export class HostDevice implements Host {
  /** As errors name the device. */
  readonly name: string;
  private readonly programs = marks<HostProgram>();
  private readonly zeros: Zeros;
  /** Memory of short arrays that were disposed: an engine takes longer to make and to free it than a loop takes for it. */
  private readonly kept: HostArray[] = [];
  private isOpen = true;
  private underWay: Promise<unknown> | undefined;

  /** @param zeros makes the memory of arrays */
  constructor(name: string, zeros: Zeros = hostZeros) {
    this.name = name;
    this.zeros = zeros;
  }

  /**
   * Registers the executable for recorders.
   * @throws GroupwiseError `disposed` if this was disposed while it was compiled, which frees it
   */
  add<E extends Executable>(executable: E, program: HostProgram): E {
    if (!this.isOpen) executable.dispose();
    this.check();
    this.programs.set(executable, program);
    return executable;
  }

  /** @throws GroupwiseError `disposed` */
  check(): void {
    if (!this.isOpen) throw errorOf("disposed", { what: "the runtime" });
  }

  /** Refuses all later calls. */
  dispose(): void {
    this.isOpen = false;
    this.kept.length = 0;
  }

  /** See `Runtime.array`. */
  array<S extends ArrayType>(type: S, lengthOrValues: number | HostArrays[S]): DeviceArray<S> {
    this.check();
    const { length, values } = newArray(type, lengthOrValues);
    const { array: elements } = arraySpec(type);
    const at = this.kept.findLastIndex((one) => one.length === length && one instanceof elements);
    const [kept] = at < 0 ? [] : this.kept.splice(at, 1);
    const array = new HostDeviceArray<S>(type, kept ?? this.zeros(type, length, this.name), this);
    // No earlier work uses it.
    if (values) array.fill(values);
    else if (kept) clear(kept, length);
    return array;
  }

  keep(memory: HostArray): void {
    if (memory.byteLength > LONGEST) return;
    this.kept.push(memory);
    if (this.kept.length > MOST) this.kept.shift();
  }

  /** See `Runtime.record`. */
  record(): Recorder {
    this.check();
    let steps: Recorded[] = [];
    const recorder: Recorder = {
      run: (executable, arrays, options) => {
        this.check();
        steps.push(this.prepare(executable, arrays, options));
        return recorder;
      },
      submit: () => {
        const now = steps;
        steps = [];
        return submitted(
          now.map(({ program, step }) => useOf(program.manifest, step)),
          () => this.runAll(now),
        );
      },
    };
    return recorder;
  }

  private prepare(executable: Executable, arrays: RunArrays, options: StepOptions | undefined): Recorded {
    const program = this.programs.get(executable);
    if (!program) throw foreignExecutable(executable);
    program.owned.check();
    const step = prepareStep<HostDeviceArray>(program.manifest, arrays, options, {
      own: (array) => (HostDeviceArray.is(array) && array.host === this ? array : undefined),
      sliceAlignment: 1,
      scratchBytes: (launch) => program.scratchBytes(launch),
    });
    return { program, step };
  }

  /** @returns the error of each step that failed */
  private async runAll(steps: readonly Recorded[]): Promise<readonly unknown[]> {
    this.check();
    for (const { program, step } of steps) {
      program.owned.check();
      for (const array of [...step.arrays.values(), step.count?.array, step.scratch]) array?.check();
    }
    // Programs that are disposed while their steps wait are released after them.
    const holds = steps.map(({ program }) => program.owned.use());
    const errors = new Array<unknown>(steps.length).fill(undefined);
    // As on other devices, an error of one step does not prevent the other steps from running.
    const runFrom = (i: number): void | Promise<void> => {
      for (let at = i; at < steps.length; at++) {
        const one = steps[at] as Recorded;
        try {
          const running = one.program.run(one.step, launchOf(one));
          if (!running) continue;
          const failed = (error: unknown): void => {
            errors[at] = error;
          };
          return running.catch(failed).then(() => runFrom(at + 1));
        } catch (error) {
          errors[at] = error;
        }
      }
    };
    await this.inTurn(() => runFrom(0));
    for (const letGo of holds) letGo();
    return errors;
  }

  get isIdle(): boolean {
    return this.underWay === undefined;
  }

  inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const made = this.underWay ? this.underWay.then(work) : attempt(work);
    if (!(made instanceof Promise)) return Promise.resolve(made);
    const settled = made.then(
      () => {},
      () => {},
    );
    this.underWay = settled.then(() => {
      if (this.underWay === mine) this.underWay = undefined;
    });
    const mine = this.underWay;
    return made;
  }
}

function attempt<T>(work: () => T | Promise<T>): T | Promise<T> {
  try {
    return work();
  } catch (error) {
    return Promise.reject(error);
  }
}

/** The launch with the current value of the count. */
function launchOf({ program: { manifest }, step }: Recorded): Launch {
  const { count, launch } = step;
  return count ? launchFor(manifest, step, Number(count.array.values[count.at])) : launch;
}
