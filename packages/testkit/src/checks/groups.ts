/** More work-groups than one dimension of a dispatch has. */
import { collectivesOf } from "../collectives.ts";
import { dataKind, dataOf } from "../data.ts";
import type { Effort, Subject } from "../subject.ts";
import type { Check } from "./check.ts";

const MOST_IN_ONE_DIMENSION = 65_535;

async function manyGroups(subject: Subject): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const n of [MOST_IN_ONE_DIMENSION, MOST_IN_ONE_DIMENSION + 1, 70_001]) {
    const x = dataOf("f32", dataKind("f32", "order"), n, "groups");
    const pipeline = collectivesOf({ type: "f32", scope: "work-group", workGroupSize: 1, ops: ["add"] });
    const different = await subject.compare(pipeline, { x });
    for (const [name, text] of Object.entries(different)) failures.push(`${name} of ${n}: ${text}`);
  }
  return failures;
}

/** None for slow devices. */
export function groupChecks(effort: Effort): readonly Check[] {
  if (effort === "quick") return [];
  return [{ name: "more than 65,535 work-groups", run: manyGroups }];
}
