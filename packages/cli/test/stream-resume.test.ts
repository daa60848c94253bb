/** `run --stream --resume`: a state continues only the run that it is of. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringifyPipeline } from "@groupwise/core/schema";
import { f32, param, pipeline, table } from "@groupwise/dsl";
import { expect, test } from "vitest";
import { writeNpy } from "../src/values/npy.ts";
import { cli, folder, listed } from "./support.ts";

const N = 5000;
const items = (change: (i: number) => number = (i) => i): Float32Array =>
  Float32Array.from({ length: N }, (_, i) => Math.fround(Math.sin(change(i))));

/** Sums of items that a parameter and a table scale. */
const scaled = (factor: number): string =>
  stringifyPipeline(
    pipeline("scaled", { x: f32, by: param(f32), weights: table(f32) }, ({ x, by, weights }) => ({
      sums: x.mul(by).mul(weights.at(0)).mul(factor).scanInclusive("add"),
    })).ir,
  );

const csv = (broken: number, first = 0): string =>
  `x\n${Array.from(items(), (x, i) => (i === broken ? "?" : i === 0 ? x + first : x)).join("\n")}\n`;

const ARGS = ["-i", "weights=w.npy", "--out", "o", "--stream", "1000", "--json"];
const XS = ["-i", "x=x.csv:x", "--param", "by=2"];

/** A stream that ended at item 3000, where its input has an error. */
async function broken(): Promise<string> {
  const at = folder({ "p.json": scaled(1), "x.csv": csv(3500) });
  writeFileSync(join(at, "w.npy"), writeNpy("f32", Float32Array.of(3)));
  const ran = await cli(at, "run", "p.json", ...XS, ...ARGS);
  expect(ran.json().error.code).toBe("bad-file");
  writeFileSync(join(at, "x.csv"), csv(-1));
  return at;
}

const changes: readonly [string, (at: string) => void, readonly string[], string][] = [
  ["the pipeline", (at) => writeFileSync(join(at, "p.json"), scaled(5)), XS, "the pipeline changed"],
  ["a parameter", () => {}, ["-i", "x=x.csv:x", "--param", "by=2.5"], 'the value of "by" changed'],
  [
    "a table",
    (at) => writeFileSync(join(at, "w.npy"), writeNpy("f32", Float32Array.of(4))),
    XS,
    'the value of "weights" changed',
  ],
  ["an input", (at) => writeFileSync(join(at, "x.csv"), csv(-1, 1)), XS, 'the input "x" changed'],
  [
    "another file",
    (at) =>
      writeFileSync(
        join(at, "y.npy"),
        writeNpy(
          "f32",
          items((i) => i + 1),
        ),
      ),
    ["-i", "x=y.npy", "--param", "by=2"],
    'the input "x" changed',
  ],
];

test.each(changes)("a state is not continued with another value of %s", async (_, change, args, reason) => {
  const at = await broken();
  const before = listed(join(at, "o"));
  change(at);
  const { error } = (await cli(at, "run", "p.json", ...args, ...ARGS, "--resume")).json();
  expect(error).toMatchObject({ code: "bad-file", what: expect.stringContaining(reason) });
  expect(error.hint).toContain("without --resume");
  expect(listed(join(at, "o"))).toEqual(before);
});

test("the items after a state may change, and the run that began it continues", async () => {
  const at = await broken();
  const ran = await cli(at, "run", "p.json", ...XS, ...ARGS, "--resume");
  expect(ran.json()).toMatchObject({ ok: true, from: 3000, items: N });
});

test("a file that is no state is refused", async () => {
  const at = await broken();
  for (const text of ["", "{", "{}\n", '{"version":2}\n']) {
    writeFileSync(join(at, "o", ".scaled.state"), text);
    const { error } = (await cli(at, "run", "p.json", ...XS, ...ARGS, "--resume")).json();
    expect(error).toMatchObject({ code: "bad-file", what: expect.stringContaining("not a state") });
  }
});
