/** Documents of all pairs on a device, compared with the reference. */
import { check } from "@groupwise/core";
import { isSink } from "@groupwise/core/target";
import { withOutputs } from "../../data/parts.ts";
import type { Subject } from "../../subject/subject.ts";
import { differenceOf, flushedBy } from "../compare.ts";
import { type FuzzOptions, type FuzzReport, Run } from "../fuzz.ts";
import type { RandomCase } from "../make/case.ts";
import { withoutDead } from "../shrink.ts";
import { whyUnsound } from "../sound.ts";
import { pairsCase } from "./document.ts";
import { pairsOf } from "./table.ts";

/** The case with those outputs whose bits are defined; undefined if there is none. */
export async function definedPart(
  one: RandomCase,
  flushed: Parameters<typeof whyUnsound>[1],
): Promise<RandomCase | undefined> {
  const names = one.pipeline.nodes.flatMap((node) => (isSink(node) ? [node.name] : []));
  const defined: string[] = [];
  for (const name of names) {
    const pipeline = withoutDead(withOutputs(one.pipeline, new Set([name])));
    if ((await whyUnsound({ ...one, pipeline }, flushed)) === undefined) defined.push(name);
  }
  if (defined.length === names.length) return one;
  if (defined.length === 0) return undefined;
  return { ...one, pipeline: withoutDead(withOutputs(one.pipeline, new Set(defined))) };
}

/** Documents of a seed from a number on. A difference counts where the semantics define every bit. */
export async function fuzzPairs(subject: Subject, options: FuzzOptions): Promise<FuzzReport> {
  const run = new Run(subject, options);
  const flushed = await flushedBy(subject);
  for (let i = options.from ?? 0; run.ran + run.unsupported < options.count && !run.isOver; i++) {
    const one = pairsCase(options.seed, i);
    try {
      const difference = await differenceOf(subject, one);
      const defined = difference === undefined ? undefined : await definedPart(one, flushed);
      if (defined !== undefined && (defined === one || (await differenceOf(subject, defined)) !== undefined))
        await run.found(`${options.seed}:${i}`, defined);
      for (const pair of pairsOf(check(one.pipeline))) run.pairs.set(pair, (run.pairs.get(pair) ?? 0) + 1);
      run.ran += 1;
    } catch (error) {
      run.lacks(1, error);
    }
    run.progress();
  }
  return run.report();
}
