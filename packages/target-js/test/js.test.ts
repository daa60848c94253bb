import { check, emit, type HostArray, reference, SCALARS, type Scalar } from "@groupwise/core";
import { f32, pipeline, u32 } from "@groupwise/dsl";
import { describe, expect, it } from "vitest";
import { js } from "../src/index.ts";
import { jsRuntime } from "../src/runtime.ts";

const lineIndex = pipeline("line-index", { text: u32 }, ({ text }, { index }) => {
  const isBreak = text.eq(10);
  const line = isBreak.toU32().scanExclusive("add");
  return {
    line,
    starts: index().add(1).scatter({ to: line, where: isBreak }),
    lines: isBreak.toU32().reduce("add"),
  };
});

const mixed = pipeline(
  "mixed",
  { x: f32, y: u32 },
  ({ x, y }, { index }) => {
    const sums = x.scanInclusive("add");
    const inGroup = sums.scanExclusive("add", { scope: "work-group" });
    const top = inGroup.reduce("max", { scope: "work-group" });
    const total = y.reduce("add");
    const keep = y.gt(3);
    const slot = keep.toU32().scanExclusive("add");
    return {
      sums,
      inGroup,
      top,
      total,
      first: x.broadcast(index().reduce("min")),
      scaled: x.mul(2).add(1).sub(top).scanExclusive("mul"),
      packed: y.scatter({ to: slot, where: keep, length: keep.toU32().reduce("add") }),
      all: keep.all({ scope: "work-group" }),
      again: y.add(total).scanInclusive("xor"),
    };
  },
  { workGroupSize: 7 },
);

function data(type: Scalar, n: number): HostArray {
  const array = new SCALARS[type].array(n) as HostArray & { [i: number]: number };
  for (let i = 0; i < n; i++)
    array[i] = type === "f32" ? Math.fround(Math.sin(i * 37) * 10 ** (i % 5)) : (i * 7919) % 11;
  return array;
}

describe.each([0, 1, 2, 6, 7, 8, 50, 100])("n = %i", (n) => {
  it.each([lineIndex, mixed])("agrees with the reference: $name", async (definition) => {
    const checked = check(definition.ir);
    const values = Object.fromEntries(checked.inputs.map((node) => [node.name, data(node.type, n)]));
    const inputs = Object.fromEntries(
      checked.inputs.map((node) => [
        node.name,
        Array.from(values[node.name] as Float32Array, (v) => SCALARS[node.type].fromHost(v)),
      ]),
    );
    const executable = await jsRuntime().compile(definition);
    let expected: Record<string, unknown[]>;
    try {
      expected = reference(checked, { n, inputs });
    } catch (error) {
      await expect(executable.run(values)).rejects.toThrow((error as Error & { code: string }).code);
      return;
    }
    const got = await executable.run(values);
    for (const [name, want] of Object.entries(expected)) {
      expect([name, Array.from(got[name] as Float32Array)]).toEqual([
        name,
        want.map((v) => (typeof v === "boolean" ? Number(v) : v)),
      ]);
    }
  });
});

it("prints a module that people can read", () => {
  const { files } = emit(lineIndex, js);
  if (process.env.SHOW) for (const { path, text } of files) console.log(`==== ${path}\n${text}`);
  expect(files.map(({ path }) => path)).toEqual([
    "line-index.mjs",
    "line-index.d.mts",
    "line-index.mjs.json",
  ]);
});
