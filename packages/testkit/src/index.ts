/** Named pipelines, data, the oracle and the checks; without a test runner. */
export * from "./arrays.ts";
export { CASES, type Case } from "./cases/index.ts";
export { type Check, type CheckResult, caseChecks, checksOf, runCheck } from "./checks/index.ts";
export * from "./collectives.ts";
export * from "./data.ts";
export { expressionsOf } from "./expressions.ts";
export { doubles } from "./hard/doubles.ts";
export { integers } from "./hard/integers.ts";
export {
  allNames,
  coveringCases,
  isName,
  type Named,
  namedCase,
  namesIn,
  TURNS,
  withNames,
} from "./names.ts";
export * from "./oracle.ts";
export { withOutputs } from "./parts.ts";
export { type ProvenRow, provenRows } from "./proof.ts";
export { checkDocument, judgeDocument, type Verdict } from "./random/check-document.ts";
export { goodDocument, hostileDocument, hostileDocuments } from "./random/documents.ts";
export { type Random, randomOf } from "./random.ts";
export { floatsOf, placesOf, queriesOf, type RangeSides } from "./ranges.ts";
export { type Shape, shapesOf } from "./shapes.ts";
export { FAMILIES, type Family, kindsOf, operatorOfNodes, operatorOfSize } from "./sized.ts";
export { sizesOf, tileOf } from "./sizes.ts";
export { specials } from "./special.ts";
export {
  rowKey,
  rowsUsed,
  SPECIFICATION,
  type SpecificationRow,
  WORK_ITEM_FUNCTIONS,
} from "./specification.ts";
export { type Effort, NotSupportedError, Subject } from "./subject.ts";
export type { FlushFinding } from "./subnormal.ts";
export { workOf } from "./work.ts";
