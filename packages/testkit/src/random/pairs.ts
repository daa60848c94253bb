/** Documents of all pairs on a device, compared with the reference. */
import { check } from "@groupwise/core";
import { isSink } from "@groupwise/core/target";
import { withOutputs, withoutDead } from "../data/parts.ts";
import type { Subject } from "../subject/subject.ts";
import { differenceOf } from "./compare.ts";
import { type FuzzOptions, type FuzzReport, FuzzRun } from "./fuzz.ts";
import type { RandomCase } from "./make/case.ts";
import { pairsCase, SAME_RANGE, together } from "./pairs/document.ts";
import { pairsOf } from "./pairs/table.ts";
import { whyUnsound } from "./sound.ts";

/** The case with those outputs whose bits are defined; undefined if there is none. */
export async function definedPart(one: RandomCase): Promise<RandomCase | undefined> {
  const names = one.pipeline.nodes.flatMap((node) => (isSink(node) ? [node.name] : []));
  const defined: string[] = [];
  for (const name of names) {
    const pipeline = withoutDead(withOutputs(one.pipeline, new Set([name])));
    if ((await whyUnsound({ ...one, pipeline })) === undefined) defined.push(name);
  }
  if (defined.length === names.length) return one;
  if (defined.length === 0) return undefined;
  return { ...one, pipeline: withoutDead(withOutputs(one.pipeline, new Set(defined))) };
}

/** The documents of a seed from a number on. A difference counts where the semantics define every bit. */
export async function fuzzPairs(subject: Subject, options: FuzzOptions): Promise<FuzzReport> {
  const run = new FuzzRun(subject, options);
  const { seed, count, batch = 1, from = 0, size = "large" } = options;
  const differs = async (cases: readonly RandomCase[]): Promise<boolean> =>
    (await differenceOf(subject, together(cases))) !== undefined;
  // Halves that differ are divided again, so that a difference of one document takes few runs.
  const examine = async (cases: readonly RandomCase[], first: number): Promise<void> => {
    const half = cases.length >> 1;
    const parts = half > 0 ? [cases.slice(0, half), cases.slice(half)] : [];
    const differing = [];
    for (const [i, part] of parts.entries()) if (await differs(part)) differing.push([part, i] as const);
    for (const [part, i] of differing) await examine(part, first + i * half);
    if (differing.length > 0) return;
    const all = together(cases);
    const defined = await definedPart(all);
    if (defined === undefined || (await run.differs(defined)) === undefined) return;
    await run.found(`${seed}:${first}`, defined);
  };
  for (let i = from; i < from + count && !run.isOver; ) {
    const last = Math.min(from + count, i + batch, i - (i % SAME_RANGE) + SAME_RANGE);
    const cases = Array.from({ length: last - i }, (_, k) => pairsCase(size, seed, i + k));
    try {
      if (await differs(cases)) await examine(cases, i);
      for (const { pipeline } of cases)
        for (const pair of pairsOf(check(pipeline))) run.pairs.set(pair, (run.pairs.get(pair) ?? 0) + 1);
      run.ran += cases.length;
    } catch (error) {
      run.lacks(cases.length, error);
    }
    i = last;
    run.progress();
  }
  return run.report();
}
