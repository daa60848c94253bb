/** Every named pipeline against the reference. */
import { itemsIn } from "@groupwise/core/target";
import { CASES, type Case } from "../cases/index.ts";
import { sizesOf } from "../subject/sizes.ts";
import type { Subject } from "../subject/subject.ts";
import { type Check, ENOUGH } from "./check.ts";

async function compareCase({ ir, values }: Case, subject: Subject): Promise<readonly string[]> {
  // No other check has it.
  await subject.compile(ir, { keep: false });
  const [size = 1, ...more] = ir.workGroupSize;
  const failures: string[] = [];
  const seeds = subject.effort === "quick" ? [0, 1] : [0, 1, 2, 3];
  for (const n of sizesOf(
    subject.runtime.capabilities,
    size,
    subject.effort === "full" ? "normal" : subject.effort,
  )) {
    for (const seed of seeds) {
      const hasInput = ir.nodes.some(({ kind }) => kind === "input");
      // A range of several dimensions for any number of items: the first sides are as long as two work-groups.
      const range = more.length > 0 ? rangeFor(ir.workGroupSize, n, seed) : undefined;
      const items = range ? itemsIn(range.globalSize) : n;
      const different = await subject.compare(ir, values(items, seed), range ?? (hasInput ? {} : { n }));
      for (const [name, text] of Object.entries(different))
        failures.push(`${name} of ${n}, seed ${seed}: ${text}`);
      if (failures.length >= ENOUGH) return failures;
    }
  }
  return failures;
}

/** A range of about n items: sides that end in the middle of a work-group, and at its end. */
function rangeFor(
  workGroupSize: readonly number[],
  n: number,
  seed: number,
): { globalSize: number[]; globalOffset: number[] } {
  const last = workGroupSize.length - 1;
  const sides = workGroupSize.slice(0, last).map((side, d) => (d === seed % 3 ? 2 * side : 2 * side + 1));
  const globalSize = [...sides, Math.ceil(n / itemsIn(sides))];
  return { globalSize, globalOffset: globalSize.map((_, d) => seed * (d + 7)) };
}

/** One check per named pipeline. */
export function caseChecks(): readonly Check[] {
  return CASES.map((one) => ({
    name: `${one.name}: ${one.covers}`,
    share: one.share,
    pipelines: () => [one.ir],
    run: (subject: Subject) => compareCase(one, subject),
  }));
}
