/** Lists of targets on the command line. */

import { badUsage } from "./problem.ts";
import { oneOf } from "./suggest.ts";
import { TARGET_NAMES, TARGETS, type TargetName } from "./targets.ts";

/** The targets of `wgsl,js` or `all`, each once. @throws GroupwiseError `bad-usage` */
export function targetsOf(list: string): readonly TargetName[] {
  const names = list.split(",").map((name) => name.trim());
  const unknown = names.find((name) => name !== "all" && !Object.hasOwn(TARGETS, name));
  if (unknown !== undefined) {
    throw badUsage(`there is no target ${JSON.stringify(unknown)}`, oneOf(unknown, [...TARGET_NAMES, "all"]));
  }
  return names.includes("all") ? TARGET_NAMES : [...new Set(names as TargetName[])];
}
