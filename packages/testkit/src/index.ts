/** Named pipelines, data, the oracle and the checks; without a test runner. */

export { aroundRuns, logged } from "./around.ts";
export { CHAINS } from "./cases/chains.ts";
export { CASES, type Case } from "./cases/index.ts";
export { mapsInOnePass, sumsInOnePass } from "./cases/look-back.ts";
export { type Check, checksOf, runCheck } from "./checks/index.ts";
export * from "./data/arrays.ts";
export * from "./data/collectives.ts";
export * from "./data/compare.ts";
export * from "./data/data.ts";
export { expressionsOf } from "./data/expressions.ts";
export { functionNames, functionsOf } from "./data/functions.ts";
export * from "./data/oracle.ts";
export { withOutputs } from "./data/parts.ts";
export { numbers, type Random, randomOf, rounding } from "./data/random.ts";
export { type Results, resultsOf } from "./data/results.ts";
export { SHARES } from "./data/share.ts";
export { FAMILIES, kindsOf, operatorOfNodes, operatorOfSize } from "./data/sized.ts";
export { specials } from "./data/special.ts";
export { SPECIFICATION } from "./data/specification.ts";
export { workOf } from "./data/work.ts";
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
export { provenRows } from "./proof.ts";
export { checkDocument, judgeDocument, type Verdict } from "./random/documents/check-document.ts";
export { hostileDocument, hostileDocuments } from "./random/documents/documents.ts";
export type { Fuzzing, FuzzRequest } from "./random/fuzzing.ts";
export { floatsOf, placesOf, queriesOf, type RangeSides } from "./subject/ranges.ts";
export { sizesOf, tileOf } from "./subject/sizes.ts";
export { type Effort, NotSupportedError, Subject } from "./subject/subject.ts";
export { tuningOf } from "./subject/tuning.ts";
