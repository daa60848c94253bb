import type { Effort } from "../subject/subject.ts";
import { broadcastChecks } from "./broadcasts.ts";
import { caseChecks } from "./cases.ts";
import type { Check } from "./check.ts";
import { collectiveChecks } from "./collectives.ts";
import { expressionChecks } from "./expressions.ts";
import { functionChecks } from "./functions.ts";
import { groupChecks } from "./groups.ts";
import { identityChecks } from "./identities.ts";
import { lawChecks } from "./laws.ts";
import { operandChecks } from "./operands.ts";
import { rangeChecks } from "./ranges.ts";

export { caseChecks } from "./cases.ts";
export { type Check, type CheckResult, runCheck } from "./check.ts";

/** Everything that a device must pass. */
export function checksOf(effort: Effort): readonly Check[] {
  return [
    ...collectiveChecks(effort),
    ...lawChecks(),
    ...identityChecks(),
    ...broadcastChecks(),
    ...expressionChecks(),
    ...functionChecks(),
    ...operandChecks(),
    ...groupChecks(effort),
    ...rangeChecks(),
    ...caseChecks(),
  ];
}
