/** Steps over arrays that stay on the device. */
import type { Executable, Recorder, StepOptions } from "../api/runtime.ts";
import type { RunArrays } from "../api/typed.ts";
import { foreignExecutable } from "../checks/arguments.ts";
import { elementsOf, type Launch, withItems } from "../checks/host.ts";
import { statusError } from "../checks/results.ts";
import type { Binding, Manifest } from "../plan/manifest.ts";
import { bindingOf } from "../run/bindings.ts";
import { submitted, useOf } from "../run/outcomes.ts";
import { isOptional, scratchPlan } from "../run/scratch.ts";
import { prepareStep, type Step } from "../run/step.ts";
import { type Home, QueueArray } from "./array.ts";
import type { Handle, Range } from "./driver.ts";
import { bytesOf, launch } from "./launch.ts";
import type { Begun } from "./line.ts";
import { Pool } from "./pool.ts";
import type { ProgramReference, Programs } from "./programs.ts";
import { checkAllocation } from "./run.ts";
import { scratchAlignment, scratchBytes } from "./scratch.ts";
import { type ArrayReading, readAside, readLater } from "./transfer.ts";

type Planned = Step<QueueArray> & { readonly held: ProgramReference };

/** Status words of a step, which are checked when the device is done. */
interface Status {
  /** The position of the step. */
  readonly at: number;
  readonly manifest: Manifest;
  readonly words: ArrayReading;
}

/** What a submission makes. */
interface Own {
  /** Copies of words that later steps may overwrite before they are read. */
  readonly copies: Pool;
  readonly statuses: Status[];
}

/** Where a number of items is. */
type Place = Pick<NonNullable<Planned["count"]>, "array" | "at">;
/** A number of items that was read back. */
type Known = Place & { readonly items: number };

const isSame = (a: Place, b: Place): boolean =>
  a.array.buffer === b.array.buffer && a.array.byteOffset + 4 * a.at === b.array.byteOffset + 4 * b.at;

/** Whether a step may write to the memory of an array: slices share it. */
function mayWrite({ held, arrays, scratch }: Planned, { buffer }: QueueArray): boolean {
  if (scratch?.buffer === buffer) return true;
  const { manifest } = held.program;
  return [...arrays].some(
    ([name, array]) => array.buffer === buffer && bindingOf(manifest, name).role === "output",
  );
}

/** Whether a step does anything: for no items a scan does not, a sum does. Items may be outside an output of no elements. */
const acts = ({ bindings }: Manifest, launch: Launch): boolean =>
  launch.n > 0 || bindings.some((one) => one.role === "output" && elementsOf(one, launch) > 0);

/** The counts of steps that no earlier one of them writes: these are read back together. */
function countsAhead(steps: readonly (readonly [at: number, step: Planned])[]): readonly Place[] {
  const found: Place[] = [];
  steps.forEach(([, { count }], i) => {
    if (!count || found.some((one) => isSame(one, count))) return;
    if (!steps.slice(0, i).some(([, step]) => mayWrite(step, count.array))) found.push(count);
  });
  return found;
}

export class QueueRecorder implements Recorder {
  private readonly home: Home;
  private readonly programs: Programs;
  private steps: Planned[] = [];

  constructor(home: Home, programs: Programs) {
    this.home = home;
    this.programs = programs;
  }

  run(executable: Executable, arrays: RunArrays, options?: StepOptions): this {
    const { home } = this;
    const { device } = home.session.driver;
    home.owned.check();
    const held = this.programs.find(executable);
    if (!held) throw foreignExecutable(executable);
    held.owned.check();
    const { manifest } = held.program;
    const step = prepareStep<QueueArray>(manifest, arrays, options, {
      own: (array) => (QueueArray.is(array) && array.buffer.home === home ? array : undefined),
      sliceAlignment: device.alignment,
      scratchBytes: (one) => scratchBytes(device, manifest, one),
    });
    for (const binding of manifest.bindings.filter(isOptional))
      checkAllocation(device, bytesOf(binding, step.launch), `${manifest.pipeline}: ${binding.name}`);
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
    const { driver, line, scratch } = home.session;
    home.owned.check();
    const holds = holdsOf(home, steps);
    const own: Own = { copies: new Pool(), statuses: [] };
    try {
      const begun = await line.do(() => {
        const begin = (): Begun<void> => {
          line.recent = steps.map(({ held }) => held.program.manifest.pipeline);
          return line.begin(driver, () => undefined);
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
      driver.finish();
      throw error;
    } finally {
      scratch.trim();
      own.copies.release();
      for (const letGo of holds) letGo();
    }
  }

  /**
   * All steps, at once; from the first count on, one after the other.
   * @param given counts that were read back, each until a step writes its array
   */
  private queueAll(
    steps: readonly (readonly [at: number, step: Planned])[],
    own: Own,
    given: readonly Known[] = [],
  ): Promise<void> | undefined {
    let known = given;
    for (const [i, [at, step]] of steps.entries()) {
      const { count, launch, held } = step;
      const items = count && known.find((one) => isSame(one, count))?.items;
      if (count && items === undefined) {
        const rest = steps.slice(i);
        return this.read(countsAhead(rest)).then((read) => this.queueAll(rest, own, read));
      }
      const exact = count
        ? withItems(held.program.manifest, launch, Math.min(items ?? 0, count.max))
        : launch;
      if (!count || acts(held.program.manifest, exact)) this.queueStep(at, step, exact, own);
      known = known.filter(({ array }) => !mayWrite(step, array));
    }
    return undefined;
  }

  /** Launch sizes come from the host: numbers are read back, and the device waits for the next step. */
  private async read(counts: readonly Place[]): Promise<readonly Known[]> {
    const { driver, line } = this.home.session;
    const elements = { type: "u32", memory: "u32", bytesPerElement: 4 } as const;
    const begun = line.begin(driver, () =>
      counts.map((count) => {
        const from = count.array.buffer.range(count.array.byteOffset + 4 * count.at);
        return { count, word: readLater(driver, { from, elements, count: 1 }) };
      }),
    );
    return (await begun.done).map(({ count, word }) => {
      const [items = 0] = word.values() as Uint32Array;
      return { ...count, items };
    });
  }

  private queueStep(
    at: number,
    { held, arrays, scratch, launch: most }: Planned,
    exact: Launch,
    { copies, statuses }: Own,
  ): void {
    const { session } = this.home;
    const { manifest, built } = held.program;
    const { driver } = built;
    const given = ({ name }: Binding): boolean => arrays.has(name);
    const buffers = new Map<string, Handle>();
    const ranges = new Map<string, Range>();
    const put = (name: string, array: QueueArray, offset: number, bytes: number): void => {
      buffers.set(name, array.buffer.part(offset, bytes));
      ranges.set(name, array.buffer.range(offset));
    };
    for (const [name, array] of arrays) {
      const binding = bindingOf(manifest, name);
      const isNew = binding.role === "output" && !binding.scatter && binding.inPlace === undefined;
      const { buffer, byteOffset, byteLength } = array;
      if (isNew) buffer.willWrite(byteOffset, elementsOf(binding, exact) * binding.bytesPerElement);
      put(name, array, byteOffset, byteLength);
    }
    if (scratch) {
      // For fewer items than the most the same places do.
      const alignment = scratchAlignment(driver.device);
      const { offsets } = scratchPlan(manifest, most, { alignment, given });
      for (const binding of manifest.bindings) {
        const offset = offsets.get(binding.name);
        if (offset === undefined) continue;
        put(binding.name, scratch, scratch.byteOffset + offset, bytesOf(binding, most));
      }
    } else {
      for (const [name, buffer] of session.scratch.take(driver, manifest, exact, given)) {
        buffers.set(name, buffer);
        ranges.set(name, { buffer, offset: 0 });
      }
    }
    for (const binding of manifest.bindings.filter(({ cleared }) => cleared)) {
      const bytes = elementsOf(binding, exact) * binding.bytesPerElement;
      if (bytes > 0) driver.clear(ranges.get(binding.name) as Range, bytes);
    }
    launch({ manifest, built, prepared: exact, buffers });
    const status = manifest.bindings.find(({ role }) => role === "status");
    if (!status) return;
    const from = ranges.get(status.name) as Range;
    const count = elementsOf(status, exact);
    statuses.push({ at, manifest, words: readAside(driver, copies, { from, elements: status, count }) });
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
