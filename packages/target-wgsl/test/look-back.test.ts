/** Scans in one pass, forced on where no capability chooses them: stalls, changing sizes, and who chooses them. */
import { check } from "@groupwise/core";
import type { LookBack } from "@groupwise/core/target";
import { f32, pipeline, u32 } from "@groupwise/dsl";
import {
  dataFor,
  differences,
  expected,
  mapsInOnePass as maps,
  namedCase,
  runAll,
  sumsInOnePass,
} from "@groupwise/testkit";
import { deviceTest, inFullRuns, isFullRun } from "@groupwise/testkit/conformance";
import { describe, expect, test } from "vitest";
import { capabilitiesOf } from "../src/print/capabilities.ts";
import { dawn, lookingBack } from "./devices.ts";

const swiftshader = () => dawn({ adapter: "swiftshader" });
const options = { places: false } as const;
/** Conditions that work-items hold as bits, and a total that the last tile leaves. */
const kept = namedCase("kept");

const isFull = isFullRun();
/** One scan of floats, whose bits show the order. */
const alone = pipeline("alone", { x: f32 }, ({ x }) => ({ upTo: x.scanInclusive("add") }), options);
/** Compiling takes the time: outside of full runs one scan stands for two of different types, which the suite has. */
const sums = isFull ? sumsInOnePass : alone;

/** The same of integers, which llvmpipe compiles in a quarter of the time. */
const words = pipeline("words", { x: u32 }, ({ x }) => ({ upTo: x.scanInclusive("add") }), options);

/** A scan of a scan, and a total beside it. */
const twice = pipeline(
  "twice",
  { x: u32 },
  ({ x }) => {
    const once = x.scanInclusive("add");
    const again = once.xor(x).scanExclusive("max");
    return {
      ...{ again, total: x.reduce("add"), most: once.reduce("max") },
      odd: again.add(x.reduce("xor")),
    };
  },
  options,
);

const TILE = 4096;
const TILES = 35;
// Whole tiles: a tail would read the slot of the last tile, which no work-group waits for.
const n = TILES * TILE;
const POSITIONS = Array.from({ length: TILES }, (_, tile) => tile);
// Compiling takes the time: all at once always, every position in full runs, also in what totals leave.
const stalls: readonly (readonly [string, readonly number[]])[] = [
  ...(isFull ? POSITIONS : []).map((tile) => [`tile ${tile}`, [tile]] as const),
  ["every tile", POSITIONS],
  ...(isFull ? [["every other tile", POSITIONS.filter((tile) => tile % 2 === 1)] as const] : []),
];

describe("tiles that never publish", () => {
  // Sums show the walk of maps and of conditions, which also run on Oclgrind and in the suite.
  for (const { ir } of isFull ? [sums, maps, kept] : [sums]) {
    const values = dataFor(ir, n);
    const want = expected(check(ir), values, { n });
    deviceTest(`${ir.name}: in every position, with the same bits`, swiftshader, async (device) => {
      // Few tiles of the others: what they have more is an operator, and a total.
      const some =
        ir === sums.ir ? stalls : stalls.filter(([, tiles]) => tiles.length > 1 || tiles[0] === 31);
      for (const [what, withheld] of some) {
        const program = await lookingBack(device, { withheld, polls: 2 }).compile(ir);
        expect(program.plan.strategy).toBe("look-back");
        const got = await program.run(values, { n });
        expect(differences(ir, values, got, n, want), what).toEqual([]);
        program.dispose();
      }
    });
  }
});

const SIZES = [TILE - 1, TILE, TILE + 1, 0, 1, 2, 9973, 33 * TILE + 17, 2 * TILE];

describe("one compiled pipeline", () => {
  deviceTest(
    "runs with changing n, more tiles than work-groups, and what the last run left behind",
    swiftshader,
    async (device) => {
      for (const { ir } of isFull ? [twice, sums] : [words]) {
        const program = await lookingBack(device).compile(ir);
        expect(await runAll(program, ir, SIZES)).toEqual([]);
      }
      // `look-back-suite.test.ts` has it at other sizes.
      if (!isFull) return;
      const total = await lookingBack(device).compile(kept.ir);
      expect(total.manifest.passes.map(({ entryPoint }) => entryPoint)).toEqual(["scan", "tail"]);
      expect(await runAll(total, kept.ir, SIZES)).toEqual([]);
    },
  );

  deviceTest(
    "runs where work-items of a subgroup exchange values",
    inFullRuns("the interpreter of kernels has them, `subgroups.test.ts` what lavapipe exchanges", dawn),
    async (device) => {
      const { ir } = alone;
      const program = await lookingBack(device).compile(ir);
      expect(program.manifest.requires).toContain("subgroups");
      expect(program.plan.strategy).toBe("look-back");
      expect(await runAll(program, ir, [TILE - 1, 3 * TILE + 7])).toEqual([]);
    },
  );
});

describe("devices that use look-back", () => {
  const limits = {
    maxComputeInvocationsPerWorkgroup: 1024,
    maxComputeWorkgroupSizeX: 1024,
    maxComputeWorkgroupStorageSize: 32768,
  };
  const features = new Set(["subgroups"]);
  test.each([
    ["without subgroups", { limits }, /no subgroups/],
    [
      "with small ones",
      { limits, features, adapterInfo: { subgroupMinSize: 8, subgroupMaxSize: 8 } },
      /subgroups of 8/,
    ],
  ])("not a device %s", (_, facts, reason) => {
    expect((capabilitiesOf(facts).lookBack as { unsupported: string }).unsupported).toMatch(reason);
  });
  test("a device with wide ones, in work-groups that it allows", () => {
    const adapterInfo = { subgroupMinSize: 32, subgroupMaxSize: 32 };
    const { workGroupSize, rows } = capabilitiesOf({ limits, features, adapterInfo }).lookBack as LookBack;
    expect([workGroupSize, rows]).toEqual([256, 8]);
    const small = { ...limits, maxComputeInvocationsPerWorkgroup: 128 };
    expect(capabilitiesOf({ limits: small, features, adapterInfo }).lookBack).toMatchObject({
      workGroupSize: 128,
      rows: 8,
    });
  });
});
