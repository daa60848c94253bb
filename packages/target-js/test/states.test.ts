import { mergeStates, parseState, stateToJson, stepper } from "@groupwise/core/state";
import { f32, param, pipeline, scalar, u32 } from "@groupwise/dsl";
import { found } from "@groupwise/testkit/devices";
import { states } from "@groupwise/testkit/states";
import { describe, expect, expectTypeOf, it } from "vitest";
import { jsRuntime } from "../src/runtime.ts";

states("JavaScript", async () => found(jsRuntime()));

const sums = pipeline("sums", { x: f32 }, ({ x }) => ({
  sums: x.scanInclusive("add"),
  total: scalar(x.reduce("add")),
}));
const x = Float32Array.from({ length: 100 }, (_, i) => Math.sin(i) * 1000);

describe("a stepper", () => {
  it("keeps the pipeline's types, and continues from a state that was parsed from JSON", async () => {
    const js = jsRuntime();
    const whole = await (await js.compile(sums)).run({ x });
    const steps = await stepper(js, sums);
    const first = await steps.step({ x: x.subarray(0, 37) });
    const state = parseState(JSON.stringify(stateToJson(first.state)));
    const second = await steps.step({ x: x.subarray(37) }, { state });
    expectTypeOf(second.outputs.sums).toEqualTypeOf<Float32Array<ArrayBuffer>>();
    expectTypeOf(second.outputs.total).toEqualTypeOf<number>();
    expect(second.outputs.sums).toEqual(whole.sums.slice(37));
    expect(second.outputs.total).toBe(whole.total);
    // @ts-expect-error there is no such input
    await expect(steps.step({ y: x })).rejects.toMatchObject({ code: "unknown-input" });
  });

  it("lists what the pipeline takes, without what carries the state", async () => {
    const scaled = pipeline("scaled", { x: f32, k: param(f32) }, ({ x, k }) => ({
      sums: x.mul(k).scanInclusive("add"),
    }));
    const steps = await stepper(jsRuntime(), scaled);
    for (const values of [{ x }, { x, k: 1, place: 0 }])
      await expect(steps.step(values as never)).rejects.toMatchObject({
        hint: expect.stringMatching(/: x, k$/),
      });
  });

  it("returns equal results from one state, and after empty chunks", async () => {
    const steps = await stepper(jsRuntime(), sums);
    const { state } = await steps.step({ x });
    const none = await steps.step({ x: x.subarray(0, 0) }, { state });
    expect(none.state).toEqual(state);
    expect(await steps.step({ x }, { state })).toEqual(await steps.step({ x }, { state: none.state }));
  });

  it("refuses states that do not fit", async () => {
    const steps = await stepper(jsRuntime(), sums);
    const others = await stepper(
      jsRuntime(),
      pipeline("others", { x: f32 }, ({ x }) => ({ sums: x.scanInclusive("mul") })),
    );
    const { state } = await others.step({ x });
    for (const bad of [
      state,
      { ...state, pipeline: "sums" },
      { ...steps.start, from: 5n, to: 5n },
      { ...steps.start, to: 1n },
      { ...steps.start, version: 2 },
    ])
      await expect(steps.step({ x }, { state: bad as never })).rejects.toMatchObject({
        code: /bad-state|bad-version/,
      });
    expect(() => mergeStates(state, steps.start)).toThrow("state");
  });

  it("refuses numbers of items past u32 where they are read", async () => {
    const steps = await stepper(
      jsRuntime(),
      pipeline("late", { x: u32 }, ({ x }, { index }) => ({ sums: x.add(index()).scanInclusive("add") })),
    );
    const state = { ...steps.start, to: 2n ** 32n - 2n };
    const x = Uint32Array.of(1, 2, 3);
    await expect(steps.step({ x }, { state })).rejects.toMatchObject({ code: "too-many-items" });
    const { outputs } = await steps.step({ x: x.subarray(0, 2) }, { state });
    expect(outputs.sums).toEqual(Uint32Array.of(2 ** 32 - 1, 0));
  });

  it("refuses pipelines and runtimes that do not support states", async () => {
    const mirrored = pipeline("back", { x: f32 }, ({ x }) => ({
      s: x.scanInclusive("add", { reverse: true }),
    }));
    await expect(stepper(jsRuntime(), mirrored)).rejects.toMatchObject({ code: "not-carried" });
    const keyed = pipeline("keyed", { x: f32, k: u32 }, ({ x, k }) => ({
      s: x.scanInclusive("add", { keys: k }),
    }));
    const steps = await stepper(jsRuntime(), keyed);
    const part = { x: x.subarray(0, 2), k: Uint32Array.of(1, 2) };
    await expect(steps.stateOf(part, { from: 4n })).rejects.toMatchObject({ code: "not-carried" });
  });

  it("refuses the state of a part alone if a collective reads another one, and carries such a pipeline in order", async () => {
    const x = Float32Array.of(3, -5, 1, 1);
    for (const isLast of [false, true]) {
      const chained = pipeline("chained", { x: f32 }, ({ x: v }) => {
        const raised = v.scanInclusive("add").add(1);
        return { highest: isLast ? raised.reduce("max") : raised.scanInclusive("max") };
      });
      const steps = await stepper(jsRuntime(), chained);
      await expect(steps.stateOf({ x }, { from: 4n })).rejects.toMatchObject({ code: "not-carried" });
      const { state } = await steps.step({ x });
      const { outputs } = await steps.step({ x }, { state });
      expect(outputs.highest).toEqual(Float32Array.of(...(isLast ? [4] : [4, 4, 4, 4])));
    }
  });
});
