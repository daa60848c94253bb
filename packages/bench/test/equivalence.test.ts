/** The reduced table of equivalence on every device that is quick to compile for: no empty cell, no tolerance. */
import { existsSync } from "node:fs";
import { onlyInFullRuns } from "@groupwise/testkit/conformance";
import { expect, test } from "vitest";
import { candidates } from "../src/devices/devices.ts";
import { equivalence, isEqual } from "../src/equivalence.ts";
import { printEquivalence } from "../src/report.ts";

test("every function of every type in every shape is equal on every device", async (context) => {
  onlyInFullRuns(
    context,
    "the suite of each target compares these on its devices, of which every run has a share",
  );
  if (!existsSync(new URL("../dist/main.js", import.meta.url))) context.skip("not built; run: npm run build");
  const result = await equivalence({ share: "some" });
  const { found, absent } = await candidates();
  expect(found.length).toBeGreaterThan(0);
  if (process.env.CI) expect([...absent, ...result.absent]).toEqual([]);
  const report = printEquivalence(result, false);
  // Only gpu.js lacks types, whose arrays hold f32; any other device that refuses something leaves a hole.
  const refusing = result.devices.filter((_, i) =>
    result.rows.some(({ cells }) => cells[i]?.status === "not supported"),
  );
  expect(refusing.map(({ label }) => label).filter((label) => !label.startsWith("gpu.js"))).toEqual([]);
  expect(isEqual(result), report.slice(report.indexOf("\n- "))).toBe(true);
});
