/** What a signal does: it ends a computation at once, and never cuts the writing of files in two. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ended } from "./process.ts";
import { folder, listed } from "./support.ts";

// The clock is read right before a run: the module then reports that it begins.
const LONG = `import { performance } from "node:perf_hooks";
import { writeSync } from "node:fs";
import { pipeline } from "@groupwise/dsl";
const now = performance.now.bind(performance);
performance.now = () => {
  writeSync(2, "running\\n");
  return now();
};
export default pipeline("long", {}, (_, { index }) => ({ y: index().reduce("add") }));
`;

test("Ctrl-C ends a run that computes in JavaScript, and nothing is written", async () => {
  const cwd = folder({ "long.mjs": LONG });
  const argv = ["run", "long.mjs", "--n", "1000000000", "--repeat", "20", "--out", "o"];
  const run = await ended(cwd, argv, {
    onErr: (err, child) => err.includes("running") && child.kill("SIGINT"),
  });
  expect(run).toMatchObject({ signal: "SIGINT", code: null, out: "" });
  expect(run.err).toContain("running");
  expect(listed(cwd)).toEqual(["long.mjs"]);
});

const WRITER = `import { writeFileSync } from "node:fs";
import { unbroken } from ${JSON.stringify(join(import.meta.dirname, "../src/base/signals.ts"))};
const done = unbroken(() => {
  writeFileSync("first", "1");
  process.kill(process.pid, "SIGTERM");
  writeFileSync("second", "2");
  return "done";
});
console.error(done);
setTimeout(() => console.error("survived"), 60_000);
`;

test("a signal that comes while files are written ends the process afterwards", async () => {
  const cwd = folder({ "writer.ts": WRITER });
  const run = await ended(cwd, [], { file: join(cwd, "writer.ts") });
  expect(run).toMatchObject({ signal: "SIGTERM", err: "done\n" });
  expect(readFileSync(join(cwd, "second"), "utf8")).toBe("2");
});

test("no listener for signals remains", async () => {
  const { unbroken } = await import("../src/base/signals.ts");
  const before = process.listenerCount("SIGTERM");
  expect(unbroken(() => process.listenerCount("SIGTERM"))).toBe(before + 1);
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
  expect(process.listenerCount("SIGTERM")).toBe(before);
});
