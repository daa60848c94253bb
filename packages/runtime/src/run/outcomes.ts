/** Errors of queued work: they belong to the bytes that the work would have written, until these are written again. */
import { GroupwiseError } from "@groupwise/ir/base/errors.js";
import { elementsOf } from "../checks/host.ts";
import type { Manifest } from "../plan/manifest.ts";
import { bindingOf } from "./bindings.ts";
import { marks } from "./marks.ts";
import type { OwnArray } from "./own-array.ts";
import type { Step } from "./step.ts";

/** Bytes of a memory. */
interface Bytes {
  readonly from: number;
  readonly to: number;
}

/** The error of work when it is done; undefined if it succeeded. */
type Outcome = Promise<unknown>;

interface Write extends Bytes {
  readonly outcome: Outcome;
}

/** The writes of each memory that are not known to have succeeded. */
const writes = marks<readonly Write[]>();

/** A part of an array. */
export interface StepPart {
  readonly array: OwnArray;
  /** Its first elements. */
  readonly elements: number;
}

/** The arrays of a step. */
export interface StepUse {
  readonly pipeline: string;
  readonly reads: readonly StepPart[];
  /** `isAll`: all these elements get new values. */
  readonly writes: readonly (StepPart & { readonly isAll: boolean })[];
}

/**
 * What a step reads and writes.
 * @param elementsIn the elements that an array needs; default: those of the manifest
 */
export function useOf(
  manifest: Manifest,
  { arrays, launch, count }: Pick<Step<OwnArray>, "arrays" | "launch" | "count">,
  elementsIn?: (name: string) => number | undefined,
): StepUse {
  const parts = [...arrays].map(([name, array]) => {
    const binding = bindingOf(manifest, name);
    const elements = elementsIn?.(name) ?? elementsOf(binding, launch);
    return { array, elements, isAll: !count || binding.uniformity === "uniform", binding };
  });
  const isRead = ({ binding: { role, inPlace } }: (typeof parts)[number]): boolean =>
    role !== "output" || inPlace !== undefined;
  return {
    pipeline: manifest.pipeline,
    reads: [
      ...parts.filter(isRead),
      ...(count ? [{ array: count.array, elements: count.array.length }] : []),
    ],
    writes: parts.filter(({ binding }) => binding.role === "output"),
  };
}

/**
 * Runs the steps of a submission. Every later read of an array that a failed step would have written, and every later step that reads
 * it, has the step's error; nothing else does, so that nobody needs to await the promise.
 * @param run queues the steps before it returns, and resolves to the error of each step; if it rejects, all have failed
 * @returns rejects with the first error
 */
export function submitted(steps: readonly StepUse[], run: () => Promise<readonly unknown[]>): Promise<void> {
  const ran = run();
  const own = ran.catch((error: unknown) => steps.map(() => error));
  const outcomes = steps.map((step, i) =>
    queued(
      step,
      own.then((errors) => named(errors[i], step.pipeline)),
    ),
  );
  const done = Promise.all([
    ran.catch((error) => (steps.length > 0 ? [] : Promise.reject(error))),
    ...outcomes,
  ]).then(([, ...errors]) => {
    const error = errors.find((one) => one !== undefined);
    if (error !== undefined) throw error;
  });
  done.catch(() => {});
  return done;
}

/** Notes a write of the host to the first elements. @param done rejects if it fails */
export function written(array: OwnArray, elements: number, done?: Promise<unknown>): void {
  overwrite({ array, elements });
  if (done)
    note(
      { array, elements },
      done.then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
}

/**
 * The result of a read that is queued now.
 * @throws the error of the work that should have written these elements
 */
export async function readOf<T>(array: OwnArray, reading: Promise<T>): Promise<T> {
  reading.catch(() => {}); // the error of earlier work says more
  const error = await firstOf(outcomesOf({ array, elements: array.length }));
  if (error !== undefined) throw error;
  return reading;
}

/** The outcome of a step, with which its outputs are noted: that of the work whose results it reads comes first. */
function queued({ reads, writes: outputs }: StepUse, own: Outcome): Outcome {
  const before = reads.flatMap(outcomesOf);
  const outcome = before.length === 0 ? own : own.then(async (error) => (await firstOf(before)) ?? error);
  for (const { isAll, ...part } of outputs) {
    if (isAll) overwrite(part);
    note(part, outcome);
  }
  return outcome;
}

async function firstOf(outcomes: readonly Outcome[]): Promise<unknown> {
  return (await Promise.all(outcomes)).find((error) => error !== undefined);
}

const writesOf = ({ root }: OwnArray): readonly Write[] => writes.get(root) ?? [];

const outcomesOf = (part: StepPart): Outcome[] =>
  writesOf(part.array)
    .filter((write) => touch(write, bytesOf(part)))
    .map(({ outcome }) => outcome);

/** Of writes of the same bytes, which are many where a loop queues steps, one outcome is kept: the first error. */
function note(part: StepPart, latest: Outcome): void {
  const { array } = part;
  const { from, to } = bytesOf(part);
  const earlier = writesOf(array).find((write) => write.from === from && write.to === to);
  const outcome = earlier ? firstOf([earlier.outcome, latest]) : latest;
  writes.set(array.root, [...writesOf(array).filter((write) => write !== earlier), { from, to, outcome }]);
  void outcome.then((error) => {
    if (error === undefined) keep(array, (write) => (write.outcome === outcome ? [] : [write]));
  });
}

/** Forgets earlier writes of these elements. */
function overwrite(part: StepPart): void {
  const { from, to } = bytesOf(part);
  keep(part.array, (write) => {
    if (!touch(write, { from, to })) return [write];
    const before = { ...write, to: Math.min(write.to, from) };
    const after = { ...write, from: Math.max(write.from, to) };
    return [before, after].filter((rest) => rest.from < rest.to);
  });
}

function keep({ root }: OwnArray, rest: (write: Write) => readonly Write[]): void {
  const all = writes.get(root);
  if (all?.length) writes.set(root, all.flatMap(rest));
}

/** Of an array without elements, its place. */
function bytesOf({ array: { byteOffset, byteLength, length }, elements }: StepPart): Bytes {
  const bytes = length === 0 ? 0 : (byteLength / length) * Math.min(elements, length);
  return { from: byteOffset, to: byteOffset + bytes };
}

const touch = (a: Bytes, b: Bytes): boolean =>
  a.from === b.from || Math.max(a.from, b.from) < Math.min(a.to, b.to);

/** Errors of arrays and drivers may name no pipeline. */
function named(error: unknown, where: string): unknown {
  if (!(error instanceof GroupwiseError) || error.where !== "") return error;
  return new GroupwiseError(error.code, { message: error.what, hint: error.hint }, where, error);
}
