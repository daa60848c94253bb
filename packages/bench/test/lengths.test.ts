import { deviceTest } from "@groupwise/testkit/conformance";
import { findDawn } from "@groupwise/testkit/devices";
import { expect } from "vitest";
import { lengths } from "../src/lengths.ts";
import { printLengths } from "../src/report.ts";

// What the long run does, with limits so small that few items are many for them.
deviceTest(
  "arrays longer than a binding and than a buffer are right, made and checked on the device",
  () => findDawn({ adapter: "lavapipe" }),
  async () => {
    const choice = {
      n: 40_000,
      target: "wgsl" as const,
      device: "lavapipe",
      bindingBytes: 2 ** 16,
      bufferBytes: 2 ** 17,
    };
    const result = await lengths(choice);
    expect(result.partBytes).toBe(2 ** 16);
    expect(result.rows.map(({ isRight }) => isRight)).toEqual(result.rows.map(() => true));
    expect(printLengths(result, false)).toContain("scatter in reverse");
  },
);
