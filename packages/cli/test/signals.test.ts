/** What a signal does: it ends a computation at once, and never cuts the writing of files in two. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ended } from "./process.ts";
import { cli, folder, listed } from "./support.ts";

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

const SUMS = `import { f32, pipeline } from "@groupwise/dsl";
export default pipeline("long", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
`;
// The process sends itself the signal at its fifth write, once a state has been written.
const INTERRUPTED = `import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
let clock = 0;
performance.now = () => (clock += 5000);
const file = await open("x.raw");
const handle = Object.getPrototypeOf(file);
await file.close();
const { write } = handle;
let writes = 0;
handle.write = async function (...given) {
  if (++writes === 5) {
    while (!existsSync("o/.long.state")) await setTimeout(5);
    process.kill(process.pid, "SIGINT");
  }
  return write.apply(this, given);
};
${SUMS}`;

test("Ctrl-C ends a stream, leaves no file under its final name, and --resume continues", async () => {
  const x = Float32Array.from({ length: 1000 }, (_, i) => Math.sin(i));
  const cwd = folder({ "x.raw": new Uint8Array(x.buffer), "long.mjs": INTERRUPTED });
  const argv = ["run", "long.mjs", "-i", "x=x.raw:f32", "--out", "o", "--stream", "10", "--json"];
  expect(await ended(cwd, argv)).toMatchObject({ signal: "SIGINT", code: null, out: "" });
  expect(listed(join(cwd, "o")).filter((name) => !name.startsWith("."))).toEqual([]);
  writeFileSync(join(cwd, "long.mjs"), SUMS);
  const ran = await cli(cwd, ...argv, "--resume");
  expect(ran.json()).toMatchObject({ ok: true, items: 1000 });
  expect(ran.json().from).toBeGreaterThan(0);
  await cli(cwd, "run", "long.mjs", "-i", "x=x.raw:f32", "--out", "whole");
  expect(readFileSync(join(cwd, "o", "y.npy"))).toEqual(readFileSync(join(cwd, "whole", "y.npy")));
  expect(listed(join(cwd, "o"))).toEqual(["y.npy"]);
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
