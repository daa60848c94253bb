import { describe, expect, it } from "vitest";
import { errorFrom } from "../../ir/test/support.ts";
import type { RunOptions } from "../src/api/runtime.ts";
import { prepareRun } from "../src/checks/host.ts";
import type { Manifest } from "../src/plan/manifest.ts";

const binding = {
  role: "input",
  type: "f32",
  memory: "f32",
  bytesPerElement: 4,
  elements: "n",
  bytes: { op: "mul", args: ["n", 4] },
  alignment: 4,
  cleared: false,
} as const;
const manifest = (workGroupSize: readonly number[], hasInput: boolean = true): Manifest => ({
  format: "groupwise-manifest",
  version: 2,
  generator: "test",
  command: "",
  pipeline: "test",
  target: "test",
  workGroupSize,
  maxItems: 1000,
  strategy: "none",
  params: [
    { name: "n", type: "u32", memory: "u32", role: "length" },
    ...workGroupSize.map(
      (_, dimension) =>
        ({ name: `s${dimension}`, type: "u32", memory: "u32", role: "size", dimension }) as const,
    ),
    ...workGroupSize.map(
      (_, dimension) =>
        ({ name: `o${dimension}`, type: "u32", memory: "u32", role: "offset", dimension }) as const,
    ),
  ],
  bindings: hasInput ? [{ name: "x", ...binding }] : [],
  passes: [],
  scratchBytes: 0,
  requires: [],
  flags: {},
});
const x = (length: number): { x: Float32Array } => ({ x: new Float32Array(length) });
const prepare = (workGroupSize: readonly number[], length: number | undefined, options: RunOptions) =>
  prepareRun(manifest(workGroupSize, length !== undefined), length === undefined ? {} : x(length), options);

describe("the range of a run", () => {
  it.each<[string, readonly number[], number | undefined, RunOptions, number[]]>([
    ["an input's length", [4], 7, {}, [7, 7, 0]],
    ["n", [4], undefined, { n: 7 }, [7, 7, 0]],
    ["one side", [4], undefined, { globalSize: [7] }, [7, 7, 0]],
    ["all of them", [4], 7, { n: 7, globalSize: [7], globalOffset: [2] }, [7, 7, 2]],
    ["two sides", [2, 2], 15, { globalSize: [5, 3] }, [15, 5, 3, 0, 0]],
    [
      "three sides",
      [2, 2, 2],
      30,
      { n: 30, globalSize: [5, 3, 2], globalOffset: [1, 2, 3] },
      [30, 5, 3, 2, 1, 2, 3],
    ],
    ["an empty side", [2, 2], 0, { globalSize: [5, 0] }, [0, 5, 0, 0, 0]],
    [
      "the last ids there are",
      [2, 2],
      15,
      { globalSize: [5, 3], globalOffset: [2 ** 32 - 5, 0] },
      [15, 5, 3, 2 ** 32 - 5, 0],
    ],
  ])("is given by %s", (_, workGroupSize, length, options, want) => {
    const prepared = prepare(workGroupSize, length, options);
    expect(prepared.params.map(({ value }) => value)).toEqual(want);
    const sides = workGroupSize.length;
    expect([prepared.globalSize, prepared.globalOffset]).toEqual([
      want.slice(1, 1 + sides),
      want.slice(1 + sides),
    ]);
  });

  const bad = (globalSize: unknown, globalOffset?: unknown): RunOptions =>
    ({ globalSize, globalOffset }) as RunOptions;
  it.each<[string, string, readonly number[], number | undefined, RunOptions]>([
    ["bad-range", "none in two dimensions", [2, 2], 15, {}],
    ["bad-range", "n alone in two dimensions", [2, 2], 15, { n: 15 }],
    ["bad-range", "one side too few", [2, 2], 15, { globalSize: [15] }],
    ["bad-range", "one side too many", [4], 15, { globalSize: [5, 3] }],
    ["bad-range", "a number", [4], 15, bad(15)],
    ["bad-range", "a negative side", [2, 2], 15, { globalSize: [-5, -3] }],
    ["bad-range", "half a side", [2, 2], 15, { globalSize: [2.5, 6] }],
    ["bad-range", "a text for a side", [4], 15, bad(["15"])],
    ["bad-range", "an offset with a side too few", [2, 2], 15, { globalSize: [5, 3], globalOffset: [1] }],
    ["bad-range", "an offset of 2^32 and no item", [4], 0, { globalSize: [0], globalOffset: [2 ** 32] }],
    ["bad-range", "a negative offset", [4], 15, { globalOffset: [-1] }],
    ["bad-range", "an offset past the last id", [4], 15, { globalOffset: [2 ** 32 - 14] }],
    ["bad-range", "a null offset", [4], 15, { globalOffset: null as never }],
    ["length-mismatch", "an input of another length", [2, 2], 14, { globalSize: [5, 3] }],
    ["length-mismatch", "another n", [2, 2], 15, { globalSize: [5, 3], n: 14 }],
    ["too-many-items", "sides with a large product", [2, 2], undefined, { globalSize: [32, 32] }],
    [
      "bad-length",
      "sides with a product past all numbers",
      [2, 2, 2],
      undefined,
      { globalSize: [2 ** 31, 2 ** 31, 2 ** 31] },
    ],
    ["length-needed", "nothing", [4], undefined, {}],
  ])("%s: %s", (code, _, workGroupSize, length, options) => {
    expect(errorFrom(() => prepare(workGroupSize, length, options))).toMatchObject({ code });
  });
});
