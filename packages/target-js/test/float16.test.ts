import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { bundled } from "@groupwise/testkit/devices";
import { findNode } from "@groupwise/testkit/packed";
import { expect, test } from "vitest";

const NAME = "a Float16Array is an input of f16, and a view of a result";

async function runsOn(node: string): Promise<void> {
  const file = await bundled(join(import.meta.dirname, "float16-program.ts"));
  const printed = execFileSync(node, [file], { encoding: "utf8" });
  expect(JSON.parse(printed)).toEqual({ result: [2, 8, -4], read: [1, 2, -0.5], refused: "wrong-dtype" });
}

if (isFullRun()) deviceTest(NAME, () => findNode(24), runsOn);
else test(NAME, (context) => context.skip("in the full run: npm fetches Node 24"));
