/** Every named pipeline against the reference. */
import { CASES, type Case } from "../cases/index.ts";
import { sizesOf } from "../sizes.ts";
import type { Subject } from "../subject.ts";
import { type Check, ENOUGH } from "./check.ts";

async function compareCase({ ir, values }: Case, subject: Subject): Promise<readonly string[]> {
  await subject.compile(ir);
  const [size = 1] = ir.workGroupSize;
  const failures: string[] = [];
  const seeds = subject.effort === "quick" ? [0, 1] : [0, 1, 2, 3];
  for (const n of sizesOf(
    subject.runtime.capabilities,
    size,
    subject.effort === "full" ? "normal" : subject.effort,
  )) {
    for (const seed of seeds) {
      const hasInput = ir.nodes.some(({ kind }) => kind === "input");
      const different = await subject.compare(ir, values(n, seed), hasInput ? {} : { n });
      for (const [name, text] of Object.entries(different))
        failures.push(`${name} of ${n}, seed ${seed}: ${text}`);
      if (failures.length >= ENOUGH) return failures;
    }
  }
  return failures;
}

/** One check per named pipeline. */
export function caseChecks(cases: readonly Case[] = CASES): readonly Check[] {
  return cases.map((one) => ({
    name: `${one.name}: ${one.covers}`,
    run: (subject: Subject) => compareCase(one, subject),
  }));
}
