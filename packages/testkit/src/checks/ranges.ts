/** Ranges and work-groups of every shape: the position, the order and the neighbours of items. */
import type { Pipeline, RunValues } from "@groupwise/core";
import { itemsIn } from "@groupwise/core/target";
import { dataKind, dataOf } from "../data/data.ts";
import { randomOf } from "../data/random.ts";
import type { Share } from "../data/share.ts";
import { floatsOf, placesOf, queriesOf, type RangeSides, rangeOf, SHAPES } from "../subject/ranges.ts";
import type { Effort, Subject } from "../subject/subject.ts";
import { type Check, ENOUGH } from "./check.ts";

const RUNS: Readonly<Record<Effort, number>> = { quick: 4, normal: 12, full: 60 };
const MOST: Readonly<Record<Effort, number>> = { quick: 3000, normal: 9000, full: 40_000 };
const FAR = [0, 1, 2, 5, 4_000_000_000];

interface Kind {
  readonly name: string;
  readonly share?: Share;
  readonly make: (shape: RangeSides) => Pipeline;
  readonly values: (n: number, seed: string) => RunValues;
}

const KINDS: readonly Kind[] = [
  { name: "the work-item functions", make: queriesOf, values: () => ({}) },
  {
    name: "collectives of both scopes",
    make: floatsOf,
    values: (n, seed) => ({ x: dataOf("f32", dataKind("f32", "order"), n, seed) }),
  },
  {
    name: "broadcasts and scatters by coordinates",
    share: "some",
    make: placesOf,
    values: (n, seed) => {
      const random = randomOf("coordinates", seed);
      const x = dataOf("u32", dataKind("u32", "random"), n, seed);
      return { x, a: random.pick(FAR), b: random.pick(FAR) };
    },
  },
];

async function shapes({ name, make, values }: Kind, subject: Subject): Promise<readonly string[]> {
  const { effort, runtime, isBrief } = subject;
  const failures: string[] = [];
  for (const shape of SHAPES[isBrief ? "quick" : effort]) {
    if (itemsIn(shape) > runtime.capabilities.maxWorkGroupSize) continue;
    const pipeline = make(shape);
    await subject.compile(pipeline);
    for (let run = 0; run < RUNS[effort]; run++) {
      const seed = `${name} ${shape.join("x")} ${run}`;
      const range = rangeOf(shape, randomOf(seed), Math.min(MOST[effort], runtime.capabilities.maxItems));
      const n = itemsIn(range.globalSize);
      const different = await subject.compare(pipeline, values(n, seed), range);
      for (const [output, text] of Object.entries(different)) {
        const where = `work-groups of ${shape.join(" × ")} on ${range.globalSize.join(" × ")} from ${range.globalOffset.join(", ")}`;
        failures.push(`${output}, ${where}: ${text}`);
      }
      if (failures.length >= ENOUGH) return failures;
    }
  }
  return failures;
}

/** One check per kind of pipeline. */
export function rangeChecks(): readonly Check[] {
  return KINDS.map((kind) => ({
    name: `${kind.name}, in ranges of one to three dimensions`,
    share: kind.share,
    pipelines: () => SHAPES.full.map(kind.make),
    run: (subject: Subject) => shapes(kind, subject),
  }));
}
