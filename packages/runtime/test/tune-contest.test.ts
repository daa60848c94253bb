/** Which sizes tuning chooses: on trials whose times and results are given, with a clock that only they move. */

import { lookBackFor } from "@groupwise/kernel/capabilities/capabilities.js";
import {
  isIn,
  LOOK_BACK_RANGES,
  TILE_RANGES,
  type Tiles,
  withTiles,
} from "@groupwise/kernel/capabilities/tiles.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SIMT } from "../../kernel/test/simt.ts";
import { candidatesOf, refinementsOf } from "../src/tune/candidates.ts";
import { type Contest, decide, type Verdict } from "../src/tune/contest.ts";

const sized = (workGroupSize: number): Tiles => ({ tile: { workGroupSize, itemsPerWorkItem: 4 } });

interface Given {
  readonly size: number;
  readonly ms: number;
  /** The relative amount by which every second run is slower. */
  readonly noise?: number;
  readonly wrong?: string;
  readonly fails?: boolean;
}

interface Held {
  readonly verdict: Verdict;
  readonly measured: readonly number[];
  /** Trials that were prepared and not disposed. */
  readonly open: number;
}

/** The contest of sizes with these times; the default ones are the first. */
async function hold(given: readonly Given[], changes: Partial<Contest> = {}): Promise<Held> {
  let now = 0;
  let open = 0;
  const measured: number[] = [];
  const byTiles = (tiles?: Tiles): Given =>
    given.find(({ size }) => size === tiles?.tile?.workGroupSize) ?? (given[0] as Given);
  const decided = await decide({
    device: "a device",
    candidates: given.slice(1).map(({ size }) => sized(size)),
    refine: () => [],
    keyOf: (tiles) => String(byTiles(tiles).size),
    prepare: async (tiles) => {
      const { size, ms, noise = 0, wrong, fails } = byTiles(tiles);
      now += 1;
      if (fails) throw new Error("the compiler fails");
      open++;
      let runs = 0;
      return {
        check: async () => wrong,
        measure: async () => {
          measured.push(size);
          const took = ms * (runs++ % 2 === 0 ? 1 : 1 + noise);
          now += took;
          return took;
        },
        dispose: () => void open--,
      };
    },
    now: () => now,
    until: Number.POSITIVE_INFINITY,
    end: Number.POSITIVE_INFINITY,
    ...changes,
  });
  if (!decided) throw new Error("there was no contest");
  return { verdict: decided, measured, open };
}

describe("a contest", () => {
  it("is won by the fastest sizes, whatever their order", async () => {
    const [one, two, three] = [
      [64, 128, 512],
      [512, 64, 128],
      [128, 512, 64],
    ].map((all) => [...all]);
    for (const sizes of [one, two, three] as number[][]) {
      const times: Readonly<Record<number, number>> = { 64: 9, 128: 5, 512: 7 };
      const given = [{ size: 256, ms: 10 }, ...sizes.map((size) => ({ size, ms: times[size] as number }))];
      const { verdict, open } = await hold(given);
      expect(verdict.tiles).toEqual(sized(128));
      expect([verdict.default.medianMs, verdict.best.medianMs]).toEqual([10, 5]);
      expect([verdict.tried, verdict.left, open]).toEqual([3, 0, 0]);
    }
  });

  it("never chooses sizes whose results are wrong, or that fail, and names them", async () => {
    const given = [
      { size: 256, ms: 10 },
      { size: 64, ms: 1, wrong: "y[3] is 5, not 6" },
      { size: 128, ms: 2, fails: true },
      { size: 512, ms: 8 },
    ];
    const { verdict, measured, open } = await hold(given);
    expect(verdict.tiles).toEqual(sized(512));
    expect(verdict.excluded).toEqual([
      { tiles: sized(64), reason: "y[3] is 5, not 6" },
      { tiles: sized(128), reason: "the compiler fails" },
    ]);
    expect(measured).not.toContain(64);
    expect(open).toBe(0);
  });

  it("fails if the default sizes give wrong results", async () => {
    await expect(hold([{ size: 256, ms: 10, wrong: "y[0] is 1, not 0" }])).rejects.toMatchObject({
      code: "device-error",
    });
  });

  it.each<[string, [ms: number, noise?: number], [ms: number, noise?: number], boolean]>([
    ["a gain of 2 %", [10], [9.8], false],
    ["a gain of 3 %", [500], [485], false],
    ["a gain of 4 %", [10], [9.6], true],
    ["a gain below the spread of the default", [10, 0.3], [9.5], false],
    ["a gain below the spread of the sizes", [10], [8, 0.4], false],
    ["a loss", [10], [20], false],
  ])("with %s", async (_, [before, noise = 0], [after, other = 0], wins) => {
    const given = [
      { size: 256, ms: before, noise },
      { size: 64, ms: after, noise: other },
    ];
    const { verdict } = await hold(given);
    expect(verdict.tiles).toEqual(wins ? sized(64) : undefined);
    expect(verdict.closest).toEqual(sized(64));
    if (!wins) expect(verdict.best).toEqual(verdict.default);
  });

  it("tries sizes with the same kernels once, and not those with the default ones", async () => {
    const given = [1, 2, 3, 4].map((size) => ({ size, ms: 10 - size }));
    const keyOf = (tiles?: Tiles): string => ((tiles?.tile?.workGroupSize ?? 1) <= 2 ? "same" : "other");
    const { verdict, measured } = await hold(given, { keyOf });
    expect(new Set(measured)).toEqual(new Set([1, 3]));
    expect(verdict.tried).toBe(1);
  });

  it("tries no more sizes when its time is used up, and counts them", async () => {
    const given = [256, 1, 2, 4, 8].map((size) => ({ size, ms: 10 }));
    const { verdict } = await hold(given, { until: 80 });
    expect([verdict.tried, verdict.left]).toEqual([2, 2]);
  });

  it("is not held if the time of tuning is used up before the default sizes are checked", async () => {
    const given = [{ size: 256, ms: 10 }];
    await expect(hold(given, { end: 1 })).rejects.toThrow("there was no contest");
    expect((await hold(given, { end: 2 })).verdict.tried).toBe(0);
  });

  it("tries more sizes with the best of the first ones", async () => {
    const given = [
      { size: 256, ms: 10 },
      { size: 64, ms: 8 },
      { size: 128, ms: 9 },
    ];
    const asked: Tiles[] = [];
    const { verdict } = await hold([...given, { size: 32, ms: 6 }], {
      candidates: [sized(64), sized(128)],
      refine: (best) => {
        asked.push(best);
        return [sized(32)];
      },
    });
    expect(asked).toEqual([sized(64)]);
    expect(verdict.tiles).toEqual(sized(32));
  });

  it("never chooses slower or wrong sizes, for any times", async () => {
    const size = fc.record({
      ms: fc.integer({ min: 1, max: 1000 }),
      noise: fc.constantFrom(0, 0.01, 0.5),
      wrong: fc.option(fc.constant("y[0] is wrong"), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(size, { minLength: 1, maxLength: 6 }), async (drawn) => {
        const given = [{ size: 0, ms: 500 }, ...drawn.map((one, i) => ({ size: i + 1, ...one }))] as Given[];
        const { verdict, open } = await hold(given);
        const chosen = given.find(({ size: one }) => one === verdict.tiles?.tile?.workGroupSize);
        expect(open).toBe(0);
        if (!chosen) return;
        expect(chosen.wrong).toBeUndefined();
        expect(verdict.best.medianMs).toBeLessThan(0.97 * 500);
        expect(verdict.excluded.map(({ tiles }) => tiles)).not.toContainEqual(verdict.tiles);
      }),
    );
  });
});

describe("candidates", () => {
  const looking = { ...SIMT, maxWorkGroupSize: 1024, lookBack: lookBackFor({ maxWorkGroupSize: 1024 }) };
  it.each([
    ["scan", SIMT],
    ["scan", looking],
    ["reduce", looking],
  ] as const)("for a %s are sizes that lowerings accept, each once", (kind, capabilities) => {
    const list = candidatesOf(capabilities, kind);
    const all = [...list, ...list.slice(0, 3).flatMap(refinementsOf)];
    expect(new Set(list.map((one) => JSON.stringify(one))).size).toBe(list.length);
    for (const { tile, lookBack } of all) {
      for (const [name, value] of Object.entries(tile ?? {}))
        expect(isIn(value, TILE_RANGES[name as "workGroupSize"])).toBe(true);
      for (const [name, value] of Object.entries(lookBack ?? {}))
        expect(isIn(value, LOOK_BACK_RANGES[name as "groups"])).toBe(true);
      expect(() =>
        withTiles(capabilities, { ...(tile && { tile }), ...(lookBack && { lookBack }) }),
      ).not.toThrow();
    }
    expect(
      list.every(({ lookBack }) => Boolean(lookBack) === (kind === "scan" && capabilities === looking)),
    ).toBe(true);
  });
  it("begin with the default sizes and those next to them", () => {
    const [first, second] = candidatesOf(looking, "scan");
    expect(first).toEqual({ lookBack: { workGroupSize: 256, rows: 8, groups: 512 } });
    expect([128, 256, 512]).toContain(second?.lookBack?.workGroupSize);
  });
});
