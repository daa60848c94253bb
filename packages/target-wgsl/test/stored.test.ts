import { emit } from "@groupwise/core";
import { f32, pipeline } from "@groupwise/dsl";
import { isFullRun, storedValues } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { describe, expect, test } from "vitest";
import { wgsl } from "../src/index.ts";
import { dawn, tiny } from "./devices.ts";

// Tiles of 32 items, two rows of four to a work-item, and a tail. In other runs the interpreter of kernels has these passes (`testkit/test/interpreted.test.ts`), and the texts below are WGSL's.
if (isFullRun())
  storedValues(
    "lavapipe in tiles",
    async () => {
      const device = await dawn();
      return device.found ? found(tiny(device.value, [4, 8], 4096)) : device;
    },
    { only: ["softmax", "one-pass", "needed-apart"] },
  );

describe("the text of a pass that reduces", () => {
  const lines = (start: RegExp, text: string): string[] => {
    const all = text.split("\n");
    const from = all.findIndex((line) => start.test(line));
    return all.slice(from, all.indexOf("}", from));
  };
  const kernel = (fast: boolean): string[] => {
    const { ir } = pipeline("total", { x: f32 }, ({ x }) => ({ total: x.exp({ fast }).reduce("add") }));
    return lines(/^fn tile_totals\(/, emit(ir, wgsl).files[0]?.text as string);
  };

  test("has a function that takes long once for each item of a vec4, in a loop", () => {
    const exact = kernel(false);
    expect(exact.filter((line) => /\bexp_of_f32\(/.test(line))).toHaveLength(4);
    expect(exact.filter((line) => /for \(var row\b/.test(line))).toHaveLength(1);
    expect(kernel(true).filter((line) => /\bx_row\w*\.[xyzw]/.test(line))).toHaveLength(8);
  });

  test("stores values for later passes as vec4s", () => {
    const { ir } = pipeline("shares", { x: f32 }, ({ x }) => {
      const power = x.exp();
      return { share: power.div(power.reduce("add")) };
    });
    const text = emit(ir, wgsl).files[0]?.text as string;
    expect(
      lines(/^fn tile_totals\(/, text).filter((line) => /value_1_rows\[.*\] = vec4</.test(line)),
    ).toHaveLength(1);
    expect(lines(/^fn map\(/, text).filter((line) => /= value_1_rows\[/.test(line))).toHaveLength(1);
  });
});
