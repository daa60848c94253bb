import { emit } from "@groupwise/core";
import { pipeline, u32 } from "@groupwise/dsl";
import { js } from "@groupwise/target-js";
import { opencl } from "@groupwise/target-opencl";
import { wgsl } from "@groupwise/target-wgsl";
import { expect, it } from "vitest";

const lineIndex = pipeline("line-index", { text: u32 }, ({ text }, { index }) => {
  const isBreak = text.eq(10);
  const line = isBreak.toU32().scanExclusive("add");
  return {
    line,
    starts: index().add(1).scatter({ to: line, where: isBreak }),
    lines: isBreak.toU32().reduce("add"),
  };
});

// A bound that a busy machine keeps, and that a lowering of seconds, or one quadratic in its nodes, does not.
const MILLISECONDS = 50;

it.each([js, wgsl, opencl])("emitting takes milliseconds: $name", (target) => {
  const times = Array.from({ length: 21 }, () => {
    const start = performance.now();
    emit(lineIndex, target);
    return performance.now() - start;
  });
  const median = times.sort((a, b) => a - b)[10];
  expect(median).toBeLessThan(MILLISECONDS);
});

it("a pipeline of a thousand nodes emits in a fraction of a second", () => {
  const long = pipeline("long", { x: u32 }, ({ x }) => {
    let value = x;
    for (let i = 0; i < 1000; i++) value = value.add((i * 7) % 13).xor(x);
    return { y: value.scanInclusive("add") };
  });
  const start = performance.now();
  for (const target of [js, wgsl, opencl]) emit(long, target);
  expect(performance.now() - start).toBeLessThan(60 * MILLISECONDS);
});
