/** `run --stream` of a file that is larger than the memory of the process. */
import { existsSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { onlyInFullRuns } from "@groupwise/testkit/conformance";
import { expect, test } from "vitest";
import { ended } from "./process.ts";
import { folder } from "./support.ts";

const ITEMS = 2 ** 26;
const FILE = 8 * ITEMS;
/** Half of it is Node itself. */
const MOST = 384 * 2 ** 20;

// At its end the process reports the memory that the system has counted.
const KEPT = `import { readFileSync, writeSync } from "node:fs";
import { f64, pipeline, u8 } from "@groupwise/dsl";
process.on("exit", () => writeSync(2, /^VmHWM:.*$/m.exec(readFileSync("/proc/self/status", "utf8"))[0]));
export default pipeline("kept", { x: f64 }, ({ x }) => ({
  odd: u8(x.eq(0).toU32().scanInclusive("xor")),
  zeros: x.eq(0).toU32().reduce("add"),
}));
`;

test("memory stays below the length of the file, and the command prints it", async (context) => {
  onlyInFullRuns(context, "a file of half a gigabyte; `input.test.ts` has a column larger than the heap");
  if (!existsSync("/proc/self/status")) context.skip("only Linux reports the memory of a process in /proc");
  const cwd = folder({ "kept.mjs": KEPT, "x.raw": "" });
  truncateSync(join(cwd, "x.raw"), FILE); // sparse
  const argv = ["run", "kept.mjs", "-i", "x=x.raw:f64", "--stream", "--out", "o"];
  // A busy machine collects the garbage of a larger heap late; arrays are not in the heap.
  const { code, out, err } = await ended(cwd, argv, { node: ["--max-old-space-size=64"] });
  expect([code, err]).toEqual([0, expect.stringMatching(/^VmHWM:\s*\d+ kB$/)]);
  expect(out).toContain(`zeros: u32 × 1  ${ITEMS}\n`);
  expect(statSync(join(cwd, "o", "odd.npy")).size).toBe(128 + ITEMS);
  const counted = Number(/\d+/.exec(err)?.[0]) * 1024;
  expect(counted).toBeLessThan(MOST);
  const printed = Number(/^\d+ items in .*, at most (\d+) MB in memory$/m.exec(out)?.[1]) * 1e6;
  expect(Math.abs(printed - counted)).toBeLessThan(2 ** 25);
});
