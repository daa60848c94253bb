import { isSupported } from "@groupwise/core";
import { js as jsTarget } from "@groupwise/target-js";
import { gpujs } from "@groupwise/target-js/gpu-js";
import { opsOf, TYPES } from "@groupwise/testkit";
import { describe, expect, it } from "vitest";
import { type Equivalence, equivalence, isEqual } from "../src/equivalence.ts";
import { printEquivalence, printSpeed } from "../src/report.ts";
import { speed } from "../src/speed.ts";

describe("equivalence", () => {
  it("fills the table for a device, and tells what it ran on", async () => {
    const result = await equivalence(false, ["javascript", "gpu.js cpu"]);
    const [js, gpu] = result.devices;
    expect(js).toMatchObject({ label: "JavaScript", target: "js" });
    for (const { type, cells } of result.rows) {
      expect(cells).toHaveLength(result.devices.length);
      const wide = !isSupported(jsTarget.capabilities.scalars[type]);
      expect(cells[0]?.status, type).toBe(wide ? "not supported" : "equal");
      if (!gpu) continue;
      const lacking = gpujs.capabilities.scalars[type];
      expect(cells[1], type).toMatchObject(
        isSupported(lacking)
          ? { status: "equal" }
          : { status: "not supported", detail: expect.stringContaining(lacking.unsupported) },
      );
    }
    // Operators × kinds × scopes, and the votes of the types that have predicates.
    const ops = TYPES.map(
      (type) => opsOf(type).length * 3 + (type === "bool" || opsOf(type).length > 4 ? 2 : 0),
    );
    expect(result.rows).toHaveLength(2 * ops.reduce((a, b) => a + b));
    expect(result.surroundings.commit).toMatch(/^[0-9a-f]{40}|unknown/);
    expect(isEqual(result)).toBe(true);
    expect(printEquivalence(result, true)).toContain("| i32 | work-group | add_reduce | equal |");
  });

  it("says what differs", () => {
    const cell = { status: "differs", detail: "n = 3: [0] is 1, not 2" } as const;
    const result: Equivalence = {
      surroundings: { commit: "c", node: "20", platform: "p", cpu: "c", cores: 1, memoryGiB: 1 },
      effort: "normal",
      workGroupSize: 64,
      data: {},
      devices: [
        {
          label: "D",
          target: "wgsl",
          name: "d",
          driver: "1",
          sizes: [3],
          subnormals: "flushes them",
          flushes: true,
          seconds: 1,
        },
      ],
      absent: [{ name: "OpenCL", reason: "no loader" }],
      rows: [{ type: "i32", scope: "device", collective: "add_reduce", cells: [cell] }],
    };
    expect(isEqual(result)).toBe(false);
    const text = printEquivalence(result, false);
    expect(text).toContain("DIFFERS");
    expect(text).toContain("D flushes them: data with such numbers is left out there");
    expect(text).toContain("D differs in add_reduce of i32, device: n = 3: [0] is 1, not 2");
    expect(text).toContain("not here: OpenCL: no loader");
    expect(text).toContain("0 equal, 1 differ, 0 not supported");
  });

  it("of no device is no success", async () => {
    expect(isEqual(await equivalence(false, ["no such device"]))).toBe(false);
  });
});

describe("speed", () => {
  it("measures what it has checked", async () => {
    const result = await speed(1000, ["javascript"]);
    expect(result.rows.map(({ pipeline }) => pipeline)).toContain("scan-add-f32");
    for (const { leastMs, medianMs } of result.rows) expect(medianMs).toBeGreaterThanOrEqual(leastMs);
    expect(printSpeed(result, true)).toContain("| reduce-add-u32 | 1000 |");
  });
});
