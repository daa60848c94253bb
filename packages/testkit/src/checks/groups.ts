/** More work-groups than one dimension of a dispatch has, and work-groups as large as the device runs. */
import { itemsIn, SCALARS } from "@groupwise/core/target";
import { collectivesOf, typesOf } from "../data/collectives.ts";
import { DATA, type DataKind, dataKind, dataOf } from "../data/data.ts";
import { shapesOf } from "../data/shapes.ts";
import { floatsOf, queriesOf, type RangeSides } from "../subject/ranges.ts";
import type { Effort, Subject } from "../subject/subject.ts";
import type { Check } from "./check.ts";

const MOST_IN_ONE_DIMENSION = 65_535;
/** More than GPUs run in one work-group; implementations that loop over the items have no such limit. */
const ENOUGH_ITEMS = 4096;

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

/** A sum of every type in one work-group, and values that depend on the shape in one to three dimensions. */
async function largestGroups(subject: Subject): Promise<readonly string[]> {
  const { capabilities } = subject.runtime;
  const most = Math.min(capabilities.maxWorkGroupSize, ENOUGH_ITEMS);
  const isQuick = subject.effort === "quick";
  const failures: string[] = [];
  for (const type of typesOf(capabilities).slice(0, isQuick ? 1 : undefined)) {
    const [kind] = DATA[SCALARS[type].kind] as [DataKind];
    const ops = [type === "bool" ? "logical-xor" : "add"] as const;
    const pipeline = collectivesOf({ type, scope: "work-group", workGroupSize: most, ops });
    for (const n of [most - 1, 2 * most + 1]) {
      const different = await subject.compare(pipeline, { x: dataOf(type, kind, n, "largest") });
      for (const [name, text] of Object.entries(different))
        failures.push(`${name} of ${n} ${type}, work-groups of ${most}: ${text}`);
    }
  }
  for (const { name, workGroupSize, globalSize } of shapesOf(most)) {
    if (!name.endsWith("of the largest groups")) continue;
    const x = dataOf("f32", dataKind("f32", "order"), itemsIn(globalSize), "largest");
    const made = [
      [queriesOf, {}],
      [floatsOf, { x }],
    ] as const;
    for (const [make, values] of made.slice(0, isQuick ? 1 : undefined)) {
      const different = await subject.compare(make(workGroupSize as RangeSides), values, { globalSize });
      for (const [output, text] of Object.entries(different)) failures.push(`${output}, ${name}: ${text}`);
    }
  }
  return failures;
}

/** Slow devices do not run many work-groups. */
export function groupChecks(effort: Effort): readonly Check[] {
  const many: Check = { name: "more than 65,535 work-groups", run: manyGroups };
  const largest: Check = {
    name: "work-groups as large as the device runs, of every type",
    run: largestGroups,
  };
  return effort === "quick" ? [largest] : [many, largest];
}
