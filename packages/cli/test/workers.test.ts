import { readFileSync } from "node:fs";
import { join } from "node:path";
import { f32, pipeline } from "@groupwise/dsl";
import { expect, test } from "vitest";
import { writeNpy } from "../src/values/npy.ts";
import { cli, folder, LINES_JSON } from "./support.ts";

const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add"), total: x.reduce("mul") }));
const data = (): string =>
  folder({
    "sums.json": JSON.stringify(sums.ir),
    "lines.json": LINES_JSON,
    "text.txt": "a\nb\n",
    "x.npy": writeNpy(
      "f32",
      Float32Array.from({ length: 40_000 }, (_, i) => 1 + Math.sin(i) / 100),
    ),
  });
const RUN = ["run", "sums.json", "-i", "x=x.npy", "--json"];

test("workers write the files of one thread", async () => {
  const at = data();
  await cli(at, ...RUN, "--out", "one");
  const ran = await cli(at, ...RUN, "--out", "several", "--workers", "3");
  expect(ran.json()).toMatchObject({
    ok: true,
    devices: [{ target: "js", device: "JavaScript, 3 workers" }],
  });
  expect(ran.err).toBe("");
  for (const name of ["y.npy", "total.npy"])
    expect(readFileSync(join(at, "several", name)).equals(readFileSync(join(at, "one", name)))).toBe(true);
});

test("a note states why one worker computes everything", async () => {
  const ran = await cli(data(), "run", "lines.json", "-i", "text=text.txt", "--workers", "2");
  expect(ran.code).toBe(0);
  expect(ran.err).toContain("one worker computes all items: ");
});

test.each([
  [["--target", "wgsl", "--workers", "2"], /--target js/],
  [["--workers", "0"], /positive whole number/],
  [["--workers", "300"], /from 1 to 256/],
])("refuses %s", async (args, message) => {
  const ran = await cli(data(), ...RUN.slice(0, -1), ...args);
  expect(ran.code).not.toBe(0);
  expect(ran.err).toMatch(message);
});
