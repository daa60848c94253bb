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
import { launchFor, prepareStep, type Step } from "../run/step.ts";
import { type DeviceBuffer, type Home, QueueArray } from "./array.ts";
import { countsOf, type StepCounts } from "./counts.ts";
import type { Handle, Range } from "./driver.ts";
import { bytesOf, launch } from "./launch.ts";
import type { Begun } from "./line.ts";
import type { ProgramReference, Programs } from "./programs.ts";
import { checkAllocation } from "./run.ts";
import { scratchAlignment, scratchBytes } from "./scratch.ts";
import { Statuses, type StatusPlace } from "./statuses.ts";

type Planned = Step<QueueArray> & {
  readonly held: ProgramReference;
  /** The arrays that it may write. */
  readonly written: readonly QueueArray[];
  readonly isIdleOverNone: boolean;
};

/** Milliseconds for which steps are queued before the event loop goes on, if their numbers of items are in device memory. */
const TURN_MS = 8;

/** A submission while its steps are queued. */
interface Queueing {
  readonly steps: readonly Planned[];
  readonly counts: StepCounts | undefined;
  readonly statuses: Statuses;
  /** The status words of steps, by their positions. */
  readonly places: StatusPlace[];
  /** Of steps whose numbers of items are refused, by their positions. */
  readonly errors: unknown[];
}

/** The arrays of a step that it may write. */
function writtenBy({ bindings }: Manifest, { arrays, scratch }: Step<QueueArray>): readonly QueueArray[] {
  const outputs = bindings.flatMap(({ name, role }) => (role === "output" ? (arrays.get(name) ?? []) : []));
  return scratch ? [...outputs, scratch] : outputs;
}

/** Whether a step does nothing over no items: a scan does not, a sum does. Items may be outside an output of no elements; outputs that no caller asked for do not count. */
function isIdleOverNone(manifest: Manifest, { launch, arrays, count }: Step<QueueArray>): boolean {
  if (!count) return false;
  const none = withItems(manifest, launch, 0);
  return manifest.bindings.every(
    (one) => one.role !== "output" || !arrays.has(one.name) || elementsOf(one, none) === 0,
  );
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
    this.steps.push({
      ...step,
      ...{ held, written: writtenBy(manifest, step), isIdleOverNone: isIdleOverNone(manifest, step) },
    });
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
    let counts: StepCounts | undefined;
    const statuses = new Statuses(home, steps.filter(({ held }) => statusOf(held.program.manifest)).length);
    const errors: unknown[] = [];
    try {
      const begun = await line.do(() => {
        const places: StatusPlace[] = [];
        const begin = (): Begun<StatusPlace[]> =>
          line.begin(driver, () => {
            statuses.read();
            return places;
          });
        line.recent = [...new Set(steps.map(({ held }) => held.program.manifest.pipeline))].join(", ");
        counts = countsOf(home.session, steps);
        const rest = this.queueAll({ steps, counts, statuses, places, errors });
        return rest ? rest.then(begin) : begin();
      });
      const places = await begun.done;
      return steps.map(({ held }, i) => {
        const words = places[i]?.words();
        return words ? statusError(held.program.manifest, words) : errors[i];
      });
    } catch (error) {
      // The device may still write to memory of this process.
      driver.finish();
      throw error;
    } finally {
      scratch.trim();
      counts?.release();
      statuses.release();
      for (const letGo of holds) letGo();
    }
  }

  /**
   * Queues all steps. For a number of items in device memory this thread waits for a short time.
   * @returns a promise if another thread waits; the other steps are then queued later
   */
  private queueAll(queueing: Queueing, first: number = 0): Promise<void> | undefined {
    const { steps, counts } = queueing;
    const until = counts ? this.home.session.driver.now() + TURN_MS : 0;
    for (let i = first; i < steps.length; i++) {
      const step = steps[i] as Planned;
      const waiting = step.count && counts?.wait(i, until);
      if (waiting) return waiting.then(() => this.queueAll(queueing, i));
      const isIdle = step.isIdleOverNone && counts?.items(i) === 0;
      const exact = isIdle ? undefined : exactLaunch(i, step, queueing);
      if (exact) this.queueStep(i, step, exact, queueing);
      counts?.readAfter(i);
    }
    return undefined;
  }

  private queueStep(
    at: number,
    { held, arrays, scratch, launch: most }: Planned,
    exact: Launch,
    { statuses, places }: Queueing,
  ): void {
    const { session } = this.home;
    const { manifest, built } = held.program;
    const { driver } = built;
    const status = statusOf(manifest);
    const given = ({ name }: Binding): boolean => arrays.has(name) || name === status?.name;
    const buffers = new Map<string, Handle>();
    const ranges = new Map<string, Range>();
    const put = (name: string, buffer: DeviceBuffer, offset: number, bytes: number): void => {
      buffers.set(name, buffer.part(offset, bytes));
      ranges.set(name, buffer.range(offset));
    };
    for (const [name, array] of arrays) {
      const binding = bindingOf(manifest, name);
      const isNew = binding.role === "output" && !binding.scatter && binding.inPlace === undefined;
      const { buffer, byteOffset, byteLength } = array;
      if (isNew) buffer.willWrite(byteOffset, elementsOf(binding, exact) * binding.bytesPerElement);
      put(name, buffer, byteOffset, byteLength);
    }
    if (status) {
      const place = statuses.place(bytesOf(status, exact));
      places[at] = place;
      put(status.name, place.buffer, place.offset, place.bytes);
    }
    if (scratch) {
      // For fewer items than the most the same places do.
      const alignment = scratchAlignment(driver.device);
      const { offsets } = scratchPlan(manifest, most, { alignment, given });
      for (const binding of manifest.bindings) {
        const offset = offsets.get(binding.name);
        if (offset === undefined) continue;
        put(binding.name, scratch.buffer, scratch.byteOffset + offset, bytesOf(binding, most));
      }
    } else {
      for (const [name, buffer] of session.scratch.take(driver, manifest, exact, given)) {
        buffers.set(name, buffer);
        ranges.set(name, { buffer, offset: 0 });
      }
    }
    for (const binding of manifest.bindings.filter(({ cleared }) => cleared)) {
      const bytes = elementsOf(binding, exact) * binding.bytesPerElement;
      if (bytes > 0 && binding !== status) driver.clear(ranges.get(binding.name) as Range, bytes);
    }
    launch({ manifest, built, prepared: exact, buffers });
  }
}

/** The launch of a step; undefined if its number of items is refused. */
function exactLaunch(at: number, step: Planned, { counts, errors }: Queueing): Launch | undefined {
  if (!step.count) return step.launch;
  const items = counts?.items(at) ?? 0;
  try {
    return launchFor(step.held.program.manifest, step, items);
  } catch (error) {
    errors[at] = error;
    return undefined;
  }
}

const statusOf = ({ bindings }: Manifest): Binding | undefined =>
  bindings.find(({ role }) => role === "status");

/** Keeps what steps use until they are done: disposing of it meanwhile does not wait. */
function holdsOf(home: Home, steps: readonly Planned[]): (() => void)[] {
  const used = new Set([home.owned]);
  for (const { held, arrays, count, scratch } of steps) {
    used.add(held.owned);
    for (const { buffer } of arrays.values()) used.add(buffer.owned);
    if (count) used.add(count.array.buffer.owned);
    if (scratch) used.add(scratch.buffer.owned);
  }
  const holds: (() => void)[] = [];
  try {
    for (const one of used) holds.push(one.use());
    return holds;
  } catch (error) {
    for (const letGo of holds) letGo();
    throw error;
  }
}
