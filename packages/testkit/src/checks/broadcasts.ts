/** Broadcasts of every type by one, two and three coordinates: to the first item, inside, and past every end. */
import type { Pipeline, Scalar } from "@groupwise/core";
import { itemsIn, PipelineNodes, SCALARS } from "@groupwise/core/target";
import { TYPES, typesOf } from "../data/collectives.ts";
import { DATA, dataOf } from "../data/data.ts";
import type { Subject } from "../subject/subject.ts";
import type { Check } from "./check.ts";

const SIDES = [[48], [6, 5], [4, 3, 2]] as const;
/** Partial groups at every end. */
const RANGES = [[130], [20, 13], [9, 5, 5]] as const;
const COORDINATES: readonly (readonly number[])[] = [
  [0, 0, 0],
  [3, 2, 1],
  [1, 4, 0],
  [4_000_000_000, 0, 1],
  [1, 4_000_000_000, 7],
];

function pipelineOf(dimensions: number, types: readonly Scalar[]): Pipeline {
  const list = new PipelineNodes();
  const index = ["a", "b", "c"]
    .slice(0, dimensions)
    .map((name) => list.add({ kind: "param", name, type: "u32" }));
  const made = types.map((type) => {
    const of = list.input(`x_${type}`, type);
    return [type, list.add({ kind: "broadcast", scope: "work-group", of, index })] as const;
  });
  for (const [type, of] of made) list.output(`at_${type}`, of);
  return list.pipeline(`broadcasts-${dimensions}`, SIDES[dimensions - 1] as readonly number[]);
}

async function broadcasts(subject: Subject, dimensions: number): Promise<readonly string[]> {
  const types = typesOf(subject.runtime.capabilities);
  const pipeline = pipelineOf(dimensions, types);
  const globalSize = RANGES[dimensions - 1] as readonly number[];
  const inputs = types.map((type) => {
    const [kind] = DATA[SCALARS[type].kind];
    return [`x_${type}`, dataOf(type, kind as never, itemsIn(globalSize), "broadcast")] as const;
  });
  const failures: string[] = [];
  for (const at of COORDINATES) {
    const params = Object.fromEntries(
      ["a", "b", "c"].slice(0, dimensions).map((name, d) => [name, at[d] ?? 0]),
    );
    const different = await subject.compare(
      pipeline,
      { ...Object.fromEntries(inputs), ...params },
      { globalSize },
    );
    for (const [name, text] of Object.entries(different))
      failures.push(`${name} by ${at.slice(0, dimensions).join(", ")}: ${text}`);
  }
  return failures;
}

/** One check per number of dimensions. */
export function broadcastChecks(): readonly Check[] {
  return [1, 2, 3].map((dimensions) => ({
    name: `broadcasts of every type by ${dimensions} coordinate${dimensions > 1 ? "s" : ""}`,
    share: dimensions === 3 ? ("least" as const) : undefined,
    pipelines: () => [pipelineOf(dimensions, TYPES)],
    run: (subject: Subject) => broadcasts(subject, dimensions),
  }));
}
