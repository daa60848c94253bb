/** Which scatters go from chunk to chunk: those whose slots count the items that write. */

import { check } from "@groupwise/ir/document/check.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import { describe, expect, it } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import {
  binary,
  cast,
  collective,
  constant,
  type Draft,
  documentOf,
  errorFrom,
  input,
  unary,
} from "../../ir/test/support.ts";
import { carriedOf } from "../src/state/carry.ts";
import { areElementsApart, divisionOfChecked } from "../src/state/division.ts";
import { emptyState, type State } from "../src/state/state.ts";
import { referenceStep } from "../src/state/step.ts";
import { totalsOnly } from "../src/state/totals.ts";

const COUNT = { op: "add", type: "u32", identity: 0, scope: "device", order: "fixed" } as const;

/** Fields of the scatter; an undefined one is absent. */
type Changes = Readonly<Record<string, unknown>>;

/** Items whose flag is true, in a row. */
const compaction = (scatter: Changes = {}, inclusive: boolean = false): readonly Draft[] => [
  ...[input("u32"), input("bool", "keep"), cast("u32", 1)],
  { kind: inclusive ? "scan-inclusive" : "scan-exclusive", ...COUNT, of: 2 },
  ...[constant(1), binary("sub", 3, 4)],
  ...[collective("reduce", "add", "u32", 2), unary("not", 1)],
  {
    ...{ kind: "scatter", name: "kept", value: 0, slot: inclusive ? 5 : 3, where: 1, length: 6 },
    ...scatter,
  } as Draft,
];

const carried = (drafts: readonly Draft[]) => carriedOf(check(documentOf(drafts)));

describe("scatters over chunks", () => {
  for (const inclusive of [false, true])
    test(`the elements of the chunks in a row are those of the range: ${inclusive ? "inclusive" : "exclusive"} counts`, () =>
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 99 }), fc.boolean()), { maxLength: 40 }),
        fc.array(fc.nat(40), { maxLength: 5 }),
        (items, cuts) => {
          const chunked = carried(compaction({}, inclusive));
          const ends = [...cuts.filter((cut) => cut < items.length), items.length].sort((a, b) => a - b);
          let state: State = emptyState(
            "test",
            chunked.scans.map(({ operator }) => operator),
          );
          let from = 0;
          const kept: unknown[] = [];
          for (const to of ends) {
            const part = items.slice(from, to);
            const inputs = { x: part.map(([x]) => x), keep: part.map(([, keep]) => keep) };
            const step = referenceStep(chunked, { n: part.length, inputs }, state);
            kept.push(...(step.outputs.kept ?? []));
            ({ state } = step);
            from = to;
            const total = state.scans[chunked.appended.get("kept") as number];
            expect(total?.kind === "total" && total.total).toEqual([kept.length]);
          }
          expect(kept).toEqual(items.filter(([, keep]) => keep).map(([x]) => x));
          const whole = { x: items.map(([x]) => x), keep: items.map(([, keep]) => keep) };
          const all = reference(check(documentOf(compaction({}, inclusive))), {
            n: items.length,
            inputs: whole,
          });
          expect(all.kept).toEqual(kept);
        },
      ));

  const refused: readonly [string, Changes][] = [
    ["its condition is another one than the slot counts", { where: 7 }],
    ["every item writes", { where: undefined }],
    ["its slot is the number of an earlier item's end", { slot: 5 }],
    ["its slot is no count", { slot: 0 }],
    ["its length is no count", { length: 4 }],
    ["it has as many elements as the range", { length: undefined }],
    ["it has a capacity", { capacity: 4 }],
    ["it combines", { combine: "add" }],
  ];
  for (const [why, scatter] of refused)
    it(`are refused if ${why}`, () => {
      const { code, where } = errorFrom(() => carried(compaction(scatter)));
      expect({ code, where: where !== "" }).toEqual({ code: "not-carried", where: true });
    });

  it("are refused if items need their length", () => {
    const drafts: readonly Draft[] = [...compaction().slice(0, 8), { kind: "spread", of: 6 }];
    const scatter = { ...compaction().at(-1), value: 8 } as Draft;
    expect(errorFrom(() => carried([...drafts, scatter])).code).toBe("not-carried");
  });

  it("are computed in parts side by side like scans; those that are not carried are refused there too", () => {
    expect(divisionOfChecked(check(documentOf(compaction())))).toBe("scan");
    for (const [, scatter] of refused)
      expect(errorFrom(() => divisionOfChecked(check(documentOf(compaction(scatter))))).code).toBe(
        "not-carried",
      );
  });

  it("are independent parts if elements stay where they are computed, and their values need no scan", () => {
    const isApart = (...more: readonly Draft[]): boolean =>
      areElementsApart(carried([...compaction(), ...more]));
    expect(isApart()).toBe(true);
    expect(isApart({ kind: "output", name: "count", of: 6 })).toBe(true);
    expect(isApart({ kind: "output", name: "items", of: 0 })).toBe(true);
    expect(isApart({ kind: "output", name: "slots", of: 5 })).toBe(false);
    const total = { ...COUNT, op: "add", type: "f32" } as const;
    const floats = (kind: "reduce" | "scan-inclusive"): readonly Draft[] => [
      cast("f32", 0),
      { kind, ...total, of: 9 },
    ];
    expect(isApart(...floats("reduce"), { kind: "output", name: "total", of: 10 })).toBe(false);
    const sums: readonly Draft[] = [...compaction().slice(0, 8), collective("scan-inclusive", "add", "u32")];
    for (const scatter of [{ value: 8 }, { value: 3 }])
      expect(areElementsApart(carried([...sums, { ...compaction().at(-1), ...scatter } as Draft]))).toBe(
        false,
      );
  });

  it("the states of parts count their elements, without the scatters", () => {
    const checked = check(documentOf(compaction()));
    const totals = totalsOnly(checked);
    expect(totals.pipeline.nodes.some(({ kind }) => kind === "scatter")).toBe(false);
    const operators = (of: typeof checked): unknown => carriedOf(of).scans.map(({ operator }) => operator);
    expect(operators(totals)).toEqual(operators(checked));
  });
});
