/** Conversions of floats that a condition keeps in range do not saturate; all others do. */
import { check, emit, reference } from "@groupwise/core";
import { type BoolValue, type F32Value, f32, pipeline } from "@groupwise/dsl";
import { expect, test } from "vitest";
import { js } from "../src/index.ts";
import { jsRuntime } from "../src/runtime.ts";

const END = 2 ** 32;
const HALF = 2 ** 31;
const ENDS = [-Infinity, -HALF * 2, -HALF - 256, -HALF, -1, -0.5, -0, 0, 0.5, 1, 255.5, 256];
const LARGE = [HALF - 128, HALF, END - 256, END, END * 2, Infinity, Number.NaN];
const x = Float32Array.from(
  [...ENDS, ...LARGE].flatMap((value) => [value, value * (1 - 2 ** -23), value * (1 + 2 ** -23)]),
);

type Condition = (x: F32Value) => BoolValue;
/** Whether the conversions to u32 and to i32 are in range. */
const CONDITIONS: readonly (readonly [about: string, condition: Condition, u32: boolean, i32: boolean])[] = [
  ["0 <= x < 256", (x) => x.ge(0).and(x.lt(256)), true, true],
  ["x < 256 and 0 < x", (x) => x.lt(256).and(x.gt(0)), true, true],
  ["constants on the left", (x) => f32(0).le(x).and(f32(256).gt(x)), true, true],
  ["0 <= x < 2^32", (x) => x.ge(0).and(x.lt(END)), true, false],
  ["0 <= x <= 2^32", (x) => x.ge(0).and(x.le(END)), false, false],
  ["-2^31 <= x < 2^31", (x) => x.ge(-HALF).and(x.lt(HALF)), false, true],
  ["-2^31 <= x <= 2^31", (x) => x.ge(-HALF).and(x.le(HALF)), false, false],
  ["less than -2^31", (x) => x.ge(-HALF - 256).and(x.lt(0)), false, false],
  ["one side", (x) => x.lt(256), false, false],
  ["another side", (x) => x.ge(0), false, false],
  ["one or the other", (x) => x.ge(0).or(x.lt(256)), false, false],
  ["neither", (x) => x.ge(0).and(x.lt(256)).not(), false, false],
  ["unequal", (x) => x.ne(0).and(x.lt(256)), false, false],
];

test.each(CONDITIONS)("%s", async (_, condition, u32, i32) => {
  for (const [type, isInRange] of [
    ["toU32", u32],
    ["toI32", i32],
  ] as const) {
    const sources = [
      pipeline("values", { x: f32 }, ({ x }, { index }) => ({
        values: x[type]().scatter({ to: index(), where: condition(x) }),
      })),
      // The slot is compared with the capacity, so it has a name before the condition.
      pipeline("slots", { x: f32 }, ({ x }, { index }) => ({
        counts: index()
          .add(1)
          .scatter({ to: x[type]().toU32().rem(64), where: condition(x), capacity: 64, combine: "add" }),
      })),
    ];
    for (const source of sources) {
      const text = emit(source, js).files.find(({ path }) => path.endsWith(".mjs"))?.text ?? "";
      const [kernel = ""] = text.split("export default");
      expect(kernel.includes("Math.max(")).toBe(!isInRange);
      const want = reference(check(source.ir), { n: x.length, inputs: { x: [...x] } });
      const got = await (await jsRuntime().compile(source)).run({ x });
      expect(Object.fromEntries(Object.entries(got).map(([name, array]) => [name, [...array]]))).toEqual(
        want,
      );
    }
  }
});

test("a conversion that is also used outside of the condition saturates there", async () => {
  const source = pipeline("both", { x: f32 }, ({ x }, { index }) => {
    const value = x.toU32();
    return { all: value, some: value.scatter({ to: index(), where: x.ge(0).and(x.lt(256)) }) };
  });
  const want = reference(check(source.ir), { n: x.length, inputs: { x: [...x] } });
  const { all, some } = await (await jsRuntime().compile(source)).run({ x });
  expect({ all: [...all], some: [...some] }).toEqual(want);
});
