/** The checks of every runtime that need few documents. */

import { f32, f64, param, pipeline, scalar, u8, u32 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { logged } from "@groupwise/testkit";
import {
  anyOrder,
  expectSlotsChecked,
  hostile,
  isFullRun,
  random,
  recording,
  storedValues,
} from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { rounds } from "@groupwise/testkit/rounds";
import { states } from "@groupwise/testkit/states";
import { afterEach, describe, expect, test, vi } from "vitest";
import { expectAccessesChecked } from "../../testkit/src/faults/accesses.ts";
import { ModuleMemory } from "../src/runtime/module-memory.ts";
import { wasmRuntime } from "../src/runtime.ts";

const here = () => found(wasmRuntime());

hostile("WebAssembly", here);
recording("WebAssembly", here);
// JavaScript has the other chunks, and rounds, whose loops are those of other pipelines.
states("WebAssembly", async () => here(), !isFullRun());
if (isFullRun()) {
  rounds("WebAssembly", async () => here());
  anyOrder("WebAssembly", here);
  storedValues("WebAssembly", async () => here());
}
random("WebAssembly", here, {
  // In other runs the cases of the corpus that failed in WebAssembly: JavaScript has all.
  only: ({ about }) => isFullRun() || about.includes("WebAssembly"),
  quick: { trees: { f16: 16, f32: 32, f64: 16 }, pipelines: 6, pairs: 12, vectors: 125 },
  full: { trees: { f16: 480, f32: 1_488, f64: 480 }, pipelines: 504, pairs: 512, vectors: 10_000 },
});

describe("the option debug", () => {
  test("finds two items that write one slot", () => expectSlotsChecked(wasmRuntime({ debug: true })));
  test("finds accesses outside and reads of what nothing wrote", () =>
    expectAccessesChecked(wasmRuntime({ debug: true })));
});

describe("the memory of a runtime", () => {
  const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));

  test("grows under arrays, which keep their elements", async () => {
    const runtime = wasmRuntime();
    const program = await runtime.compile(sums);
    const x = runtime.array("f32", Float32Array.of(1, 2, 4));
    const y = runtime.array("f32", 3);
    const part = y.slice(1);
    await runtime.record().run(program, { x, y }).submit();
    const large = runtime.array("u32", 1 << 20);
    expect(await part.read()).toEqual(Float32Array.of(3, 7));
    part.write(Float32Array.of(8));
    expect(await y.read()).toEqual(Float32Array.of(1, 8, 7));
    await runtime.record().run(program, { x, y }).submit();
    expect(await y.read()).toEqual(Float32Array.of(1, 3, 7));
    expect((await large.read()).every((value) => value === 0)).toBe(true);
  });

  test("is used again after arrays and failed runs", async () => {
    const grown = vi.spyOn(WebAssembly.Memory.prototype, "grow");
    const runtime = wasmRuntime();
    const moved = pipeline("moved", { to: u32 }, ({ to }) => ({ y: to.scatter({ to }) }));
    const program = await runtime.compile(moved);
    const outside = new Uint32Array(50_000).fill(0xffffffff);
    for (let i = 0; i < 20; i++) {
      await expect(program.run({ to: outside })).rejects.toMatchObject({ code: "scatter-outside" });
      const array = runtime.array("f64", 50_000);
      array.dispose();
    }
    expect(grown.mock.calls.length).toBeLessThan(6);
    grown.mockRestore();
  });

  test("is a window of a long map, whose last part is shorter", async () => {
    const grown = vi.spyOn(WebAssembly.Memory.prototype, "grow");
    const scaled = pipeline("scaled", { x: f64, by: u8, k: param(f64) }, ({ x, by, k }) => ({
      y: x.mul(by.toF64()).add(k),
      isLarge: x.gt(k),
    }));
    const n = 100_003;
    const x = Float64Array.from({ length: n }, (_, i) => i / 3 - 9_000);
    const values = { x, by: Uint8Array.from(x.keys()), k: 2.5 };
    const program = await wasmRuntime().compile(scaled);
    const { y, isLarge } = await program.run(values);
    expect(y).toEqual(x.map((one, i) => one * (i & 255) + 2.5));
    expect(isLarge).toEqual(Uint8Array.from(x, (one) => (one > 2.5 ? 1 : 0)));
    const { y: none } = await program.run({ ...values, x: x.slice(0, 1), by: values.by.slice(0, 1) });
    expect(none).toEqual(Float64Array.of(2.5));
    const pages = grown.mock.calls.reduce((sum, [count]) => sum + count, 0);
    expect(65536 * pages).toBeLessThan(x.byteLength);
    grown.mockRestore();
  });

  test("has disjoint pieces, and joins free ones", () => {
    const arena = new ModuleMemory("a test");
    const held = new Map<number, number>();
    let seed = 1;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return (seed >>> 8) % below;
    };
    for (let round = 0; round < 500; round++) {
      const given = [...held.keys()][random(20)];
      if (given !== undefined && random(2) === 0) {
        arena.give(given);
        held.delete(given);
        continue;
      }
      const bytes = random(9_000);
      const at = arena.take(bytes);
      expect(at % 16).toBe(0);
      for (const [other, length] of held) expect(at + bytes <= other || other + length <= at).toBe(true);
      expect(at + bytes).toBeLessThan(arena.memory.buffer.byteLength);
      held.set(at, bytes);
    }
    const size = arena.memory.buffer.byteLength;
    for (const at of held.keys()) arena.give(at);
    const all = arena.take(size - 512);
    expect(arena.memory.buffer.byteLength).toBe(size);
    arena.give(all);
  });

  test("that cannot grow is an error", () => {
    expect(() => wasmRuntime().array("f64", 2 ** 31)).toThrow(
      expect.objectContaining({ code: "device-error" }),
    );
  });
});

describe("short runs", () => {
  const sums = pipeline("sums", { x: f32 }, ({ x }) => ({
    y: x.scanInclusive("add"),
    n: scalar(x.reduce("max")),
  }));

  test("are those of another runtime, with the same results, once there were thousands", async () => {
    let runs = 0;
    const other = jsRuntime();
    const counted = logged(other, { push: () => ++runs });
    const runtime = wasmRuntime({ short: counted });
    const program = await runtime.compile(sums, { keep: false });
    const x = Float32Array.of(1, 2, 4);
    const want = { y: Float32Array.of(1, 3, 7), n: 4 };
    for (let i = 0; i < 5_000 && runs === 0; i++) expect(await program.run({ x })).toEqual(want);
    expect(runs).toBe(1);
    const before = runs;
    await program.run({ x: new Float32Array(128) });
    await program.run({ x }, { n: 3 });
    expect(runs).toBe(before);
    await expect(program.run({ x: [1] } as never)).rejects.toMatchObject({ code: "wrong-dtype" });
    await expect(program.run(null as never)).rejects.toMatchObject({ code: "bad-argument" });
    const proxy = { x: new Proxy(x, {}) };
    await expect(program.run(proxy)).rejects.toMatchObject({ code: "wrong-dtype" });
    const unreadable = {
      get x(): Float32Array<ArrayBuffer> {
        throw new TypeError("no x");
      },
    };
    await expect(program.run(unreadable)).rejects.toMatchObject({ code: "bad-argument" });
    expect(other.stats()).toMatchObject({ inUse: 1 });
    program.dispose();
    expect(other.stats()).toMatchObject({ inUse: 0, kept: 0 });
    await expect(program.run({ x })).rejects.toMatchObject({ code: "disposed" });
    runtime.dispose();
  });
});

describe("an engine that does not run WebAssembly", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  test("is a typed error", () => {
    vi.stubGlobal("WebAssembly", undefined);
    expect(() => wasmRuntime()).toThrow(expect.objectContaining({ code: "no-modules" }));
  });

  const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
  const refusal = new WebAssembly.CompileError("Wasm code generation disallowed by embedder");

  test("because a policy forbids it, too", async () => {
    const runtime = wasmRuntime();
    vi.spyOn(WebAssembly, "compile").mockRejectedValue(refusal);
    vi.spyOn(WebAssembly, "Module").mockImplementation(function refuse() {
      throw refusal;
    });
    expect(() => wasmRuntime()).toThrow(expect.objectContaining({ code: "no-modules" }));
    await expect(runtime.compile(sums)).rejects.toMatchObject({ code: "no-modules" });
  });

  test("is none that refuses a module of ours alone: that is a bug of groupwise", async () => {
    vi.spyOn(WebAssembly, "compile").mockRejectedValue(refusal);
    await expect(wasmRuntime().compile(sums)).rejects.toMatchObject({ code: "bad-kernel" });
  });
});
