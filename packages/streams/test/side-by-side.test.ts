import { check } from "@groupwise/ir/document/check.js";
import { describe, expect, it } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import { type Draft, documentOf, input, unary } from "../../ir/test/support.ts";
import { evenShares, partsOf } from "../src/host/state/side-by-side.ts";
import { carriedOf } from "../src/state/carry.ts";
import { type Division, divisionOfChecked } from "../src/state/division.ts";
import { totalsOnly } from "../src/state/totals.ts";

const DIVISIONS: readonly Division[] = ["map", "reduce", "scan"];

describe("parts of a range", () => {
  const shares = fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 9 })
    .filter((list) => list.some((share) => share > 0));

  test("are consecutive, not empty, and assigned to runners in order", () =>
    fc.property(
      fc.integer({ min: 1, max: 2 ** 32 }),
      shares,
      fc.constantFrom(...DIVISIONS),
      (n, list, how) => {
        const parts = partsOf(n, list, how);
        expect(parts[0]?.from).toBe(0);
        expect(parts.at(-1)?.to).toBe(n);
        for (const [i, { from, to, by }] of parts.entries()) {
          expect(from).toBeLessThan(to);
          const before = parts[i - 1];
          if (before) expect(before.to).toBe(from);
          if (before) expect(by).toBeGreaterThanOrEqual(before.by);
          expect(list[by]).toBeGreaterThanOrEqual(0);
        }
      },
    ));

  it("have their shares, and begin at large blocks", () => {
    const n = 2 ** 24 + 12345;
    for (const how of DIVISIONS) {
      const counts = [0, 0, 0];
      for (const { from, to, by } of partsOf(n, [1, 2, 5], how)) {
        counts[by] = (counts[by] as number) + to - from;
        expect(from % 2 ** 15).toBe(0);
      }
      for (const [i, share] of [1, 2, 5].entries())
        expect(Math.abs((counts[i] as number) / n - share / 8)).toBeLessThan(1 / 32);
    }
  });

  it("of a scan: the first runner has two parts, and all runners take equally long", () => {
    const parts = partsOf(2 ** 24, evenShares(3, "scan"), "scan");
    expect(parts.map(({ by }) => by)).toEqual([0, 0, 1, 2]);
    const [, ...rest] = parts.map(({ from, to }) => to - from);
    for (const length of rest) expect(Math.abs(length / 2 ** 24 - 1 / 3.8)).toBeLessThan(1 / 32);
  });

  it("of a chunk begin at blocks of the whole range", () => {
    for (const how of DIVISIONS)
      for (const place of [1, 4097, 2 ** 30 - 5]) {
        const parts = partsOf(2 ** 20, [1, 2, 5], how, place);
        expect(parts.length).toBeGreaterThan(2);
        for (const { from } of parts.slice(1)) expect((place + from) % 2 ** 11).toBe(0);
      }
  });

  it("are one empty part for an empty range", () => {
    for (const how of DIVISIONS) expect(partsOf(0, [1, 1], how)).toEqual([{ from: 0, to: 0, by: 0 }]);
  });
});

const add = { op: "add", type: "f32", identity: 0, scope: "device", order: "fixed" } as const;
const drafts = (...more: Draft[]): Draft[] => [...[input("f32"), unary("neg", 0)], ...more];

describe("totals alone", () => {
  it("has the states of the pipeline, and no outputs of items", () => {
    const checked = check(
      documentOf(
        drafts(
          { kind: "scan-inclusive", ...add, of: 1 },
          { kind: "scan-exclusive", ...add, of: 0 },
          { kind: "reduce", ...add, of: 1 },
          { kind: "binary", op: "add", left: 2, right: 3 },
          { kind: "output", name: "total", of: 4 },
          { kind: "output", name: "sums", of: 5 },
        ),
      ),
    );
    const totals = totalsOnly(checked);
    expect(totals.sinks.map(({ id }) => totals.uniformities[id])).toEqual(["uniform", "uniform", "uniform"]);
    expect(totals.pipeline.nodes.some(({ kind }) => kind.startsWith("scan") || kind === "binary")).toBe(
      false,
    );
    const operators = (of: typeof checked): unknown => carriedOf(of).scans.map(({ operator }) => operator);
    expect(operators(totals)).toEqual(operators(checked));
    expect(totals.pipeline.nodes.filter(({ kind }) => kind === "reduce")).toHaveLength(3);
  });

  it("the division states the dependencies between parts", () => {
    const divided = (...more: Draft[]): Division => divisionOfChecked(check(documentOf(drafts(...more))));
    expect(divided({ kind: "output", name: "y", of: 1 })).toBe("map");
    expect(divided({ kind: "reduce", ...add, of: 1 }, { kind: "output", name: "y", of: 2 })).toBe("reduce");
    expect(divided({ kind: "scan-inclusive", ...add, of: 1 }, { kind: "output", name: "y", of: 2 })).toBe(
      "scan",
    );
  });
});
