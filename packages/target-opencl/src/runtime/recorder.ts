/** Steps over arrays that stay on the device. */
import type { Binding, Executable, Manifest, Recorder, StepOptions } from "@groupwise/core";
import type { RunArrays } from "@groupwise/core/target";
import {
  elementsOf,
  foreignExecutable,
  isOptional,
  type Launch,
  prepareStep,
  type Step,
  scratchPlan,
  statusError,
  submitted,
  useOf,
  withItems,
} from "@groupwise/core/target";
import type { Handle } from "../device/ffi.ts";
import type { Begun } from "../device/line.ts";
import { Pool } from "../device/owned.ts";
import { clear, type Range, type Reading, readAside, readLater } from "../device/transfer.ts";
import { type Home, OpenClArray } from "./array.ts";
import { bytesOf, launch } from "./launch.ts";
import type { Held, Programs } from "./programs.ts";
import { checkAllocation } from "./run.ts";
import { scratchAlignment, scratchBytes } from "./scratch.ts";

type Planned = Step<OpenClArray> & { readonly held: Held };

/** Status words of a step, which are checked when the device is done. */
interface Status {
  /** The position of the step. */
  readonly at: number;
  readonly manifest: Manifest;
  readonly words: Reading;
}

/** What a submission makes. */
interface Own {
  /** Copies of words that later steps may overwrite before they are read. */
  readonly copies: Pool;
  readonly statuses: Status[];
}

export class OpenClRecorder implements Recorder {
  private readonly home: Home;
  private readonly programs: Programs;
  private steps: Planned[] = [];

  constructor(home: Home, programs: Programs) {
    this.home = home;
    this.programs = programs;
  }

  run(executable: Executable, arrays: RunArrays, options?: StepOptions): this {
    const { home } = this;
    const { info } = home.session;
    home.owned.check();
    const held = this.programs.find(executable);
    if (!held) throw foreignExecutable(executable);
    held.owned.check();
    const { manifest } = held.program;
    const step = prepareStep<OpenClArray>(manifest, arrays, options, {
      own: (array) => (OpenClArray.is(array) && array.buffer.home === home ? array : undefined),
      sliceAlignment: info.alignment,
      scratchBytes: (one) => scratchBytes(info, manifest, one),
    });
    for (const binding of manifest.bindings.filter(isOptional))
      checkAllocation(info, bytesOf(binding, step.launch), `${manifest.pipeline}: ${binding.name}`);
    this.steps.push({ ...step, held });
    return this;
  }

  submit(): Promise<void> {
    const { steps } = this;
    this.steps = [];
    return submitted(
      steps.map((step) => useOf(step.held.program.manifest, step)),
      () => this.runAll(steps),
    );
  }

  /** @returns the error of each step that failed */
  private async runAll(steps: readonly Planned[]): Promise<readonly unknown[]> {
    const { home } = this;
    const { cl, queue, line, scratch } = home.session;
    home.owned.check();
    const holds = holdsOf(home, steps);
    const own: Own = { copies: new Pool(cl), statuses: [] };
    try {
      const begun = await line.do(() => {
        const begin = (): Begun<void> => {
          line.recent = steps.map(({ held }) => held.program.manifest.pipeline);
          return line.begin(cl, queue, () => undefined);
        };
        const rest = this.queueAll([...steps.entries()], own);
        return rest ? rest.then(begin) : begin();
      });
      await begun.done;
      const errors: unknown[] = [];
      for (const { at, manifest, words } of own.statuses)
        errors[at] = statusError(manifest, words.values() as Uint32Array);
      return errors;
    } catch (error) {
      // The device may still write to the memory of status words.
      cl.status("clFinish", queue);
      throw error;
    } finally {
      scratch.trim(cl);
      own.copies.release();
      for (const letGo of holds) letGo();
    }
  }

  /** All steps, at once; from the first count on, one after the other. */
  private queueAll(
    steps: readonly (readonly [at: number, step: Planned])[],
    own: Own,
  ): Promise<void> | undefined {
    for (const [i, [at, step]] of steps.entries()) {
      if (step.count) {
        return this.countOf(step.count).then((n) => {
          this.queueStep(at, step, withItems(step.held.program.manifest, step.launch, n), own);
          return this.queueAll(steps.slice(i + 1), own);
        });
      }
      this.queueStep(at, step, step.launch, own);
    }
    return undefined;
  }

  /** OpenCL takes the launch size from the host: the number is read back, and the device waits for the next step. */
  private async countOf({ array, at, max }: NonNullable<Planned["count"]>): Promise<number> {
    const { cl, queue, line } = this.home.session;
    const from = array.buffer.range(array.byteOffset + 4 * at);
    const begun = line.begin(cl, queue, () =>
      readLater(cl, this.home.session, { from, elements: { type: "u32", bytesPerElement: 4 }, count: 1 }),
    );
    const [count = 0] = (await begun.done).values() as Uint32Array;
    return Math.min(count, max);
  }

  private queueStep(
    at: number,
    { held, arrays, scratch, launch: most }: Planned,
    exact: Launch,
    { copies, statuses }: Own,
  ): void {
    const { session } = this.home;
    const { queue, info } = session;
    const { manifest, built } = held.program;
    const { cl } = built;
    const given = ({ name }: Binding): boolean => arrays.has(name);
    const buffers = new Map<string, Handle>();
    const ranges = new Map<string, Range>();
    const put = (name: string, array: OpenClArray, offset: number, bytes: number): void => {
      buffers.set(name, array.buffer.part(offset, bytes));
      ranges.set(name, array.buffer.range(offset));
    };
    for (const [name, array] of arrays) put(name, array, array.byteOffset, array.byteLength);
    if (scratch) {
      // For fewer items than the most the same places do.
      const alignment = scratchAlignment(info);
      const { offsets } = scratchPlan(manifest, most, { alignment, given });
      for (const binding of manifest.bindings) {
        const offset = offsets.get(binding.name);
        if (offset === undefined) continue;
        put(binding.name, scratch, scratch.byteOffset + offset, bytesOf(binding, most));
      }
    } else {
      for (const [name, buffer] of session.scratch.take(cl, manifest, exact, given)) {
        buffers.set(name, buffer);
        ranges.set(name, { buffer, offset: 0 });
      }
    }
    for (const binding of manifest.bindings.filter(({ cleared }) => cleared)) {
      const bytes = elementsOf(binding, exact) * binding.bytesPerElement;
      clear(cl, queue, ranges.get(binding.name) as Range, bytes);
    }
    launch(session, { manifest, built, prepared: exact, buffers });
    const status = manifest.bindings.find(({ role }) => role === "status");
    if (!status) return;
    const from = ranges.get(status.name) as Range;
    const count = elementsOf(status, exact);
    statuses.push({ at, manifest, words: readAside(cl, session, copies, { from, elements: status, count }) });
  }
}

/** Keeps what steps use until they are done: disposing of it meanwhile does not wait. */
function holdsOf(home: Home, steps: readonly Planned[]): (() => void)[] {
  const holds: (() => void)[] = [home.owned.use()];
  try {
    for (const { held, arrays, count, scratch } of steps) {
      holds.push(held.owned.use());
      const all = [...arrays.values(), ...(count ? [count.array] : []), ...(scratch ? [scratch] : [])];
      for (const { buffer } of all) holds.push(buffer.owned.use());
    }
    return holds;
  } catch (error) {
    for (const letGo of holds) letGo();
    throw error;
  }
}
