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

/** Of a step, or of several writes of the same bytes. */
interface Outcome {
  /** Fulfilled when `error` is what failed, undefined if nothing did. */
  readonly known: Promise<void>;
  error?: unknown;
  /** Their errors come first; none once it is known. */
  before: readonly Outcome[];
}

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
  const [reads, written]: [StepPart[], StepUse["writes"][number][]] = [[], []];
  for (const [name, array] of arrays) {
    const binding = bindingOf(manifest, name);
    const elements = elementsIn?.(name) ?? elementsOf(binding, launch);
    const isOutput = binding.role === "output";
    if (!isOutput || binding.inPlace !== undefined) reads.push({ array, elements });
    if (isOutput) written.push({ array, elements, isAll: !count || binding.uniformity === "uniform" });
  }
  if (count) reads.push({ array: count.array, elements: count.array.length });
  return { pipeline: manifest.pipeline, reads, writes: written };
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
  const errors = own.then((all) => steps.map(({ pipeline }, i) => named(all[i], pipeline)));
  const outcomes = queued(steps, errors);
  const done = Promise.all([
    ran.catch((error) => (steps.length > 0 ? [] : Promise.reject(error))),
    outcomes[0]?.known,
  ]).then(() => {
    const error = firstOf(outcomes);
    if (error !== undefined) throw error;
  });
  done.catch(() => {});
  return done;
}

/** Notes a write of the host to the first elements. @param done rejects if it fails */
export function written(array: OwnArray, elements: number, done?: Promise<unknown>): void {
  const part = { array, elements, isAll: true };
  if (!done) return void overwrite(part);
  const errors = done.then(
    () => [],
    (error: unknown) => [error],
  );
  queued([{ reads: [], writes: [part] }], errors);
}

/**
 * The result of a read that is queued now.
 * @throws the error of the work that should have written these elements
 */
export async function readOf<T>(array: OwnArray, reading: Promise<T>): Promise<T> {
  reading.catch(() => {}); // the error of earlier work says more
  const before = outcomesOf({ array, elements: array.length });
  await Promise.all(before.map(({ known }) => known));
  const error = firstOf(before);
  if (error !== undefined) throw error;
  return reading;
}

/**
 * Notes the outputs of steps that are queued together. One promise for all is enough, as their errors are known together.
 * @param own the error of each step
 * @returns the outcome of each: that of the work whose results it reads comes first
 */
function queued(
  steps: readonly Pick<StepUse, "reads" | "writes">[],
  own: Promise<readonly unknown[]>,
): readonly Outcome[] {
  // Each after those that it depends on.
  const all: Outcome[] = [];
  const arrays = new Set<OwnArray>();
  const settled = async (): Promise<void> => {
    const errors = await own;
    const earlier = all
      .flatMap(({ before }) => before.map((one) => one.known))
      .filter((one) => one !== known);
    await Promise.all(new Set(earlier));
    for (const [i, outcome] of outcomes.entries()) outcome.error = errors[i];
    for (const outcome of all) {
      outcome.error = firstOf(outcome.before) ?? outcome.error;
      outcome.before = [];
    }
    const isOver = ({ outcome }: Write): boolean => outcome.known === known && outcome.error === undefined;
    for (const array of arrays) keep(array, (write) => (isOver(write) ? [] : [write]));
  };
  const known = settled();
  const after = (before: readonly Outcome[]): Outcome => {
    const outcome = { known, before };
    all.push(outcome);
    return outcome;
  };
  const outcomes = steps.map(({ reads, writes: outputs }) => {
    const outcome = after(reads.flatMap(outcomesOf));
    for (const part of outputs) {
      if (part.isAll) overwrite(part);
      arrays.add(part.array);
      // Of writes of the same bytes, which are many where a loop queues steps, one outcome is kept: the first error.
      replace(part, (earlier) => (earlier ? after([earlier, outcome]) : outcome));
    }
    return outcome;
  });
  return outcomes;
}

/** Notes a write in place of an earlier one of the same bytes. */
function replace(part: StepPart, outcomeOf: (earlier: Outcome | undefined) => Outcome): void {
  const { from, to } = bytesOf(part);
  const all = writesOf(part.array);
  const earlier = all.find((write) => write.from === from && write.to === to);
  const others = all.filter((write) => write !== earlier);
  writes.set(part.array.root, [...others, { from, to, outcome: outcomeOf(earlier?.outcome) }]);
}

const firstOf = (outcomes: readonly Outcome[]): unknown =>
  outcomes.find(({ error }) => error !== undefined)?.error;

const writesOf = ({ root }: OwnArray): readonly Write[] => writes.get(root) ?? [];

function outcomesOf(part: StepPart): Outcome[] {
  const bytes = bytesOf(part);
  return writesOf(part.array).flatMap((write) => (touch(write, bytes) ? write.outcome : []));
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
