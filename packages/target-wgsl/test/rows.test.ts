/** Arrays that a pass has twice, by element and as vec4s: items beside their neighbours. */
import { emit, type Pipeline } from "@groupwise/core";
import { f16, f32, i64, pipeline, type U32Value, u8, u16, u32 } from "@groupwise/dsl";
import { unique } from "@groupwise/primitives";
import { dataFor, differences, runAll } from "@groupwise/testkit";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { describe, expect, test } from "vitest";
import { wgsl } from "../src/index.ts";
import { webgpuRuntime } from "../src/runtime.ts";
import { dawn, lookingBack } from "./devices.ts";

const options = { places: false } as const;
/** The item before, the own one and the one after, of which the ends have none. */
const neighbours = (type: typeof u32): { readonly ir: Pipeline } =>
  pipeline(
    `neighbours-${type.type}`,
    { x: type },
    ({ x }, { index }) => ({ before: x.at(index().sub(1)), own: x, after: x.at(index().add(1)) }),
    options,
  );
const SIZES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 1023, 1025, 4098];

describe("an array that a pass reads by element and as vec4s", () => {
  const { ir } = neighbours(u32);
  const { manifest, files } = emit(ir, wgsl);
  test("is bound again after all others", () => {
    const [text] = files.map((file) => file.text);
    const slots = manifest.bindings.map(({ slot }) => slot);
    const [x] = manifest.bindings;
    expect(x?.rowSlot).toBe(Math.max(...slots.map(Number)) + 1);
    expect(manifest.bindings.filter(({ rowSlot }) => rowSlot !== undefined)).toEqual([x]);
    expect(text).toContain(`@binding(${x?.rowSlot}) var<storage, read> x_rows: array<vec4<u32>>;`);
  });
  const names = ["a", "b", "c", "d", "e", "f", "g"] as const;
  test.each([
    [6, true],
    [7, false],
  ])("is bound again beside %i inputs and an output: %s", (count, isAgain) => {
    const inputs = Object.fromEntries(names.slice(0, count).map((name) => [name, u32]));
    const { ir: made } = pipeline(
      "many",
      inputs,
      (values, { index }) => {
        const [a, ...others] = Object.values(values) as [U32Value, ...U32Value[]];
        return { y: others.reduce((sum, value) => sum.add(value), a.at(index().sub(1)).add(a)) };
      },
      options,
    );
    const { bindings } = emit(made, wgsl).manifest;
    expect(bindings.some(({ rowSlot }) => rowSlot !== undefined)).toBe(isAgain);
  });

  test("of 16 bits is read in single words, and vec4s alone are two words at once", () => {
    const text = emit(neighbours(f16 as never).ir, wgsl).files[0]?.text;
    expect(text).not.toContain("x_rows");
    expect(text).toContain("own_rows: array<vec2<u32>>");
  });
  // Outside of full runs a width of each kind: words, and two and four elements to a word.
  for (const type of isFullRun() ? [u32, f32, i64, f16, u16, u8] : [u32, f16, u8])
    deviceTest(`has the values of ${type.type}`, dawn, async (device) => {
      const { ir: made } = neighbours(type as never);
      expect(await runAll(await webgpuRuntime(device).compile(made), made, SIZES)).toEqual([]);
    });
  deviceTest("may be a slice", dawn, async (device) => {
    const runtime = webgpuRuntime(device);
    const program = await runtime.compile(ir);
    const n = 101;
    const values = dataFor(ir, n);
    const whole = runtime.array("u32", 64 + n);
    const x = whole.slice(64, 64 + n);
    x.write(values.x as Uint32Array);
    const made = Object.fromEntries(
      ["before", "own", "after"].map((name) => [name, runtime.array("u32", n)]),
    );
    await runtime
      .record()
      .run(program, { x, ...made } as never, { n })
      .submit();
    const got = Object.fromEntries(
      await Promise.all(
        Object.entries(made).map(async ([name, array]) => [name, await array.read()] as const),
      ),
    );
    expect(differences(ir, values, got as never, n)).toEqual([]);
  });
  deviceTest(
    "is read by look-back, up to the end of the range",
    () => dawn({ adapter: "swiftshader" }),
    async (device) => {
      const tile = 512;
      const runtime = lookingBack(device, { workGroupSize: 128, rows: 1 });
      const runs = pipeline(
        "ends",
        { x: u32 },
        ({ x }, { index, size }) => {
          const next = index().add(1);
          const ends = next.eq(size()).or(x.and(1).ne(x.at(next).and(1)));
          return { numbers: ends.toU32().scanInclusive("add"), own: x };
        },
        options,
      );
      for (const { ir: made } of isFullRun() ? [unique(u32), unique(f32), runs] : [runs])
        expect(
          await runAll(await runtime.compile(made), made, [
            tile,
            tile + 1,
            tile + 2,
            tile + 3,
            tile + 4,
            3 * tile + 5,
          ]),
        ).toEqual([]);
    },
  );
});
