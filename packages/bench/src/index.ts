/** Cross-target equivalence, and the goldens. */
export { type Equivalence, equivalence, isEqual } from "./equivalence.ts";
export { goldenFiles, LANGUAGES } from "./golden-files.ts";
export { checkedIn, updateGoldens } from "./goldens.ts";
export { markdownTable, textTable } from "./print/tables.ts";
export { printEquivalence, printSuite } from "./report.ts";
export { isPassed, type Suite, suite } from "./suite.ts";
