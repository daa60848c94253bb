/** Every operator, kind, type and scope against the reference, at every size and work-group size. */
import type { Op, Scalar, Scope } from "@groupwise/core";
import { SCALARS } from "@groupwise/core/target";
import { collectivesOf, opsToTry, SCOPES, TYPES } from "../data/collectives.ts";
import { DATA, type DataKind, dataOf } from "../data/data.ts";
import type { Share } from "../data/share.ts";
import { sizesOf, thoroughSizes, WORK_GROUP_SIZES } from "../subject/sizes.ts";
import type { Effort, Subject } from "../subject/subject.ts";
import { type Check, ENOUGH } from "./check.ts";

/** Device-wide results do not depend on it, so one size runs all operators and the others only sums. */
const MAIN = 64;

/** The kinds of data at one size: all, or the first and one other in turn. */
function kindsAt(type: Scalar, turn: number, all: boolean): readonly DataKind[] {
  const [first, ...others] = DATA[SCALARS[type].kind] as [DataKind, ...DataKind[]];
  return all ? [first, ...others] : [first, others[turn % others.length] as DataKind];
}

/** For other sizes of work-groups, one operator is sufficient. */
const one = (type: Scalar): readonly Op[] => (type === "bool" ? ["logical-xor"] : ["add"]);

function opsAt(
  type: Scalar,
  scope: Scope,
  workGroupSize: number,
  subject: Pick<Subject, "isThrifty" | "isBrief"> = { isThrifty: false, isBrief: false },
): readonly Op[] {
  const isMain = workGroupSize === MAIN || (scope === "work-group" && !subject.isThrifty);
  return isMain ? opsToTry(type, scope, subject.isBrief) : one(type);
}

async function sweep(
  subject: Subject,
  type: Scalar,
  scope: Scope,
  workGroupSize: number,
): Promise<readonly string[]> {
  const ops = opsAt(type, scope, workGroupSize, subject);
  const pipeline = collectivesOf({ type, scope, workGroupSize, ops });
  await subject.compile(pipeline);
  const { capabilities } = subject.runtime;
  const thorough = thoroughSizes(capabilities, workGroupSize, subject.effort);
  const failures: string[] = [];
  for (const [turn, n] of sizesOf(capabilities, workGroupSize, subject.effort).entries()) {
    for (const kind of kindsAt(type, turn, thorough.has(n))) {
      const values = { x: dataOf(type, kind, n, workGroupSize) };
      const different = await subject.compare(pipeline, values);
      for (const [name, text] of Object.entries(different))
        failures.push(`${name} of ${n} ${type} (${kind.name}), work-group ${workGroupSize}: ${text}`);
      if (failures.length >= ENOUGH) return failures;
    }
  }
  return failures;
}

/** Those that represent the others: order, NaN, -0 and infinities; a work-group that is no power of two; integers in two words. */
const SHARES: Readonly<Record<string, Share>> = {
  "work-group f32 7": "least",
  "device f32": "some",
  "device i64": "some",
  "work-group i32 64": "sample",
  "device i32": "sample",
  "device f16": "sample",
};

/** One check per type, scope and work-group size; sizes that device-wide results do not depend on only in full runs. */
export function collectiveChecks(effort: Effort): readonly Check[] {
  const sizes = WORK_GROUP_SIZES[effort];
  return TYPES.flatMap((type) =>
    SCOPES.flatMap((scope) =>
      (scope === "work-group" || effort === "full" ? sizes : [MAIN]).map((size) => ({
        name: `every ${scope} collective of ${type}, work-groups of ${size}`,
        share: SHARES[`${scope} ${type}${scope === "device" ? "" : ` ${size}`}`],
        pipelines: () => [collectivesOf({ type, scope, workGroupSize: size, ops: opsAt(type, scope, size) })],
        run: (subject: Subject) => sweep(subject, type, scope, size),
      })),
    ),
  );
}
