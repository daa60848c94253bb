/** Cross-target equivalence and speed, and the goldens. */
export { type Equivalence, equivalence, isEqual } from "./equivalence.ts";
export { goldenFiles, LANGUAGES } from "./golden-files.ts";
export { checkedIn, updateGoldens } from "./goldens.ts";
export { markdownTable, textTable } from "./print/tables.ts";
export { printEquivalence, printSpeed, printSuite } from "./report.ts";
export { type Speed, speed } from "./speed.ts";
export { isPassed, type Suite, suite } from "./suite.ts";
