/** The suite on all devices, and the goldens. */
export { goldenFiles, LANGUAGES } from "./golden-files.ts";
export { checkedIn, updateGoldens } from "./goldens.ts";
export { markdownTable, textTable } from "./print/tables.ts";
export { printSuite } from "./report.ts";
export { isPassed, type Suite, suite } from "./suite.ts";
