/** Dawn's two warnings do not reach stderr, and all else does. */
import { join } from "node:path";
import { pipeline, u32 } from "@groupwise/dsl";
import { onlyInFullRuns } from "@groupwise/testkit/conformance";
import { expect, test } from "vitest";
import { ended } from "./process.ts";
import { folder } from "./support.ts";

const warning = (kind: string): string =>
  `Warning: maxDynamic${kind}BuffersPerPipelineLayout artificially reduced from 1000000 to 16 to fit dynamic offset allocation limit.\\n`;

const NATIVE = `import { writeSync } from "node:fs";
import { quieter } from ${JSON.stringify(join(import.meta.dirname, "../../target-wgsl/src/device/node/quiet.ts"))};
const quietly = await quieter();
const answer = quietly(() => {
  writeSync(2, "before\\n${warning("Uniform")}between\\n${warning("Storage")}after\\n");
  return 7;
});
writeSync(2, answer + "\\n${warning("Uniform")}");
try {
  quietly(() => { writeSync(2, "${warning("Storage")}"); throw new Error("thrown"); });
} catch (error) {
  writeSync(2, error.message);
}
`;

test("the two lines of native code are suppressed, and only during the call", async () => {
  const cwd = folder({ "native.ts": NATIVE });
  const run = await ended(cwd, [], { file: join(cwd, "native.ts") });
  const last = warning("Uniform").replace("\\n", "\n");
  expect(run.err).toBe(`before\nbetween\nafter\n7\n${last}thrown`);
  expect(run.code).toBe(0);
});

test("the command prints nothing about limits that Dawn lowers", async (context) => {
  onlyInFullRuns(context, "`target-wgsl/test/node.test.ts` has what programs print that open a device");
  const { ir } = pipeline("sum", { x: u32 }, ({ x }) => ({ total: x.reduce("add") }));
  const cwd = folder({ "sum.json": JSON.stringify(ir), "x.csv": "x\n1\n2\n" });
  const run = await ended(cwd, ["run", "sum.json", "-i", "x.csv:x", "--target", "wgsl"]);
  expect(run.err).toBe("");
  expect(run.out).toContain("total: u32 × 1");
});
