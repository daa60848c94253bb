/** Oclgrind finds a race wherever a barrier is missing: so it would find those of a kernel that lacks one. */
import { emit, type RunOptions, type RunValues } from "@groupwise/core";
import { itemsIn } from "@groupwise/core/target";
import { f32, pipeline, u32 } from "@groupwise/dsl";
import { CASES } from "@groupwise/testkit";
import { onlyInFullRuns, requireDevice } from "@groupwise/testkit/conformance";
import { expect, test } from "vitest";
import { opencl, openclCapabilities } from "../src/index.ts";
import { type OpenClRuntime, openclRuntime } from "../src/runtime.ts";
import { type Barrier, barriersOf } from "./barriers.ts";
import { observe, rangeOf, type Watched, watched } from "./oclgrind.ts";

const probe = watched(openclRuntime, (runtime) => runtime.dispose());

/** Cases whose kernels have every kind of barrier between them, and what they have. */
const NAMES: Readonly<Record<string, string>> = {
  compact: "scans by levels",
  "chained-scans": "scans that wait for scans",
  "several-of-one": "folds of several values",
  "broadcast-crossing": "broadcasts of both scopes",
  votes: "truth of groups and of all",
  argmax: "records, which share memory among types",
  "affine-maps-in-space": "an operator that does not commute, in three dimensions",
  "gather-crossing": "gathers between collectives",
  halves: "halves in an f32",
  "range-of-doubles": "doubles in words",
};

/** Odd numbers of rounds: after an even one, the next butterfly begins in the half of the memory that nobody reads any more. */
const WORK_GROUPS = [[20], [5, 4], [5, 2, 2]];
/** Two levels of totals, in as few items as can be. */
const SMALL = {
  ...openclCapabilities({ groupFunctions: [] }),
  tile: { workGroupSize: 8, itemsPerWorkItem: 1 },
  maxItems: 511,
};

/** Outside of full runs these: the texts of the others have the same barriers, with other types and operators. */
const ALWAYS = ["argmax"];

for (const [name, what] of Object.entries(NAMES)) {
  test(`every missing barrier is found, in ${what}`, async (context) => {
    if (!ALWAYS.includes(name)) onlyInFullRuns(context, "other pipelines have the same barriers");
    const oclgrind = await requireDevice(context, probe);
    const { ir, values } = CASES.find((one) => one.name === name) as (typeof CASES)[number];
    const small = { ...ir, workGroupSize: WORK_GROUPS[ir.workGroupSize.length - 1] as number[] };
    const range = rangeOf(small, 100);
    const artifact = emit(small, opencl, { capabilities: SMALL });
    await expectFound(oclgrind, barriersOf(artifact), values(itemsIn(range.globalSize), 0), range);
  });
}

test("every missing barrier is found, in scatters that combine in work-group memory", async (context) => {
  const oclgrind = await requireDevice(context, probe);
  const sums = pipeline("sums", { x: u32 }, ({ x }) => ({
    sums: x.scatter({ to: x.rem(5), capacity: 5, combine: "add" }),
  }));
  // With as many work-items as copies of a bin, each has a copy to itself.
  const capabilities = { ...SMALL, tile: { workGroupSize: 16, itemsPerWorkItem: 1 } };
  const barriers = barriersOf(emit(sums, opencl, { capabilities }));
  expect(barriers).toHaveLength(2);
  await expectFound(oclgrind, barriers, { x: Uint32Array.from({ length: 103 }, (_, i) => i * 7) });
});

/** The arrays that say whether a tile is still missing: without a barrier there, the loop that waits for the tile need not end. */
const ASKED = ["broadcast_words", "lanes_u32"];

test("every missing barrier is found, in a scan by look-back", async (context) => {
  onlyInFullRuns(
    context,
    "records show in every run that missing ones are seen; `races.alone.test.ts` has look-back",
  );
  const oclgrind = await requireDevice(context, probe);
  // Who waits for the first tile computes its total, and one level of slots is enough: nothing in the kernel is left out.
  const lookBack = { workGroupSize: 32, rows: 1, groups: 1, polls: 4, withheld: [0] };
  const capabilities = { ...openclCapabilities({ groupFunctions: [] }), lookBack, maxItems: 2 ** 17 };
  const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ before: x.scanExclusive("add") }));
  const artifact = emit(sums, opencl, { capabilities });
  expect(artifact.manifest.strategy).toBe("look-back");
  const x = Float32Array.from({ length: 2 * 4096 + 7 }, (_, i) => (i % 7) - 3.5);
  const barriers = barriersOf(artifact).filter(
    ({ arrays }) => !arrays.some((array) => ASKED.includes(array)),
  );
  await expectFound(oclgrind, barriers, { x });
});

/** A kernel is seen to race without any of its barriers. */
async function expectFound(
  oclgrind: Watched<OpenClRuntime>,
  barriers: readonly Barrier[],
  values: RunValues,
  options: RunOptions = {},
): Promise<void> {
  expect(barriers.length).toBeGreaterThan(0);
  for (const { kernel, line, without } of barriers) {
    // What a race leaves may be an error of the program's own.
    const { findings } = await observe(oclgrind, without, values, options);
    const races = findings.filter(({ message }) => message.includes("data race"));
    expect
      .soft(
        races.map((race) => race.kernel),
        `${kernel}, line ${line}`,
      )
      .toContain(kernel);
  }
}
