/** What reaches stdout is complete, or the exit code and stderr report that it is not. */
import { closeSync, existsSync, openSync } from "node:fs";
import { expect, test } from "vitest";
import { writeWhole } from "../src/base/io.ts";
import { OutputFailure } from "../src/base/reasons.ts";
import { main } from "../src/main.ts";
import { ended } from "./process.ts";
import { AXPY_JSON, cli, folder } from "./support.ts";

test("a text is written whole, even if the pipe accepts only parts", () => {
  const parts: number[] = [];
  writeWhole(1, "aé\u{1f600}".repeat(100), (_, bytes) => {
    parts.push(Math.min(8, bytes.length));
    return Math.min(8, bytes.length);
  });
  expect(parts.reduce((a, b) => a + b)).toBe(700);
});

test("a partial write is an error", () => {
  let left = 8192;
  const full = (_: number, bytes: Uint8Array): number => {
    if (left === 0) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    const count = Math.min(left, bytes.length);
    left -= count;
    return count;
  };
  const write = (): void => writeWhole(1, "x".repeat(31_151), full);
  expect(write).toThrow(OutputFailure);
  expect(write).toThrow(/the disk is full/);
});

test("the schema on a full disk ends with 2", async (context) => {
  if (!existsSync("/dev/full")) context.skip("this system has no /dev/full");
  const full = openSync("/dev/full", "w");
  try {
    const run = await ended(folder(), ["schema"], { stdout: full });
    expect(run.code).toBe(2);
    expect(run.err).toContain("the disk is full");
  } finally {
    closeSync(full);
  }
});

test("a result that cannot be written is reported on stderr, with and without --json", async () => {
  for (const more of [[], ["--json"]]) {
    let err = "";
    const io = {
      out: (text: string) =>
        writeWhole(1, text, () => {
          throw Object.assign(new Error("no space"), { code: "ENOSPC" });
        }),
      err: (text: string) => {
        err += text;
      },
      cwd: folder(),
      isTerminal: false,
    };
    expect(await main(["schema", ...more], io)).toBe(2);
    expect(await main(["explain", "none.json", ...more], io)).toBe(2);
    expect(err).toContain("the disk is full");
  }
});

/** Ranges of what a terminal obeys or hides: C0 but line breaks and tabs, DEL and C1, marks, separators. */
const OBEYED: readonly (readonly [from: number, to: number])[] = [
  [0, 8],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x2069],
  [0xfeff, 0xfeff],
];
const obeyed = (text: string): string[] =>
  [...text].filter((c) => OBEYED.some(([from, to]) => c.charCodeAt(0) >= from && c.charCodeAt(0) <= to));
const HOSTILE = "a\u001b[31mb\u009b31mc\u202ed\u2028e\u0007\u007f";

test.each([
  ["a file", ["run", `${HOSTILE}.json`]],
  ["a file of an input", ["run", "axpy.json", "-i", `x=${HOSTILE}.csv`]],
  ["an input", ["run", "axpy.json", "-i", `${HOSTILE}=x.csv`]],
  ["a parameter", ["run", "axpy.json", "-p", `a=${HOSTILE}`]],
  ["a command", [HOSTILE]],
  ["an option", ["schema", `--${HOSTILE}`]],
  ["a target", ["emit", "axpy.json", "--target", HOSTILE]],
  ["a heading", ["run", "axpy.json", "-i", `x=x.csv:${HOSTILE}`]],
  ["headings of a file", ["run", "axpy.json", "-i", "x=hostile.csv:z"]],
  ["cells of a file", ["run", "axpy.json", "-i", "x=hostile.csv:0"]],
  ["a name of a document", ["check", "hostile.json"]],
  ["an error of a module", ["check", "hostile.mjs"]],
])("%s with control characters is escaped on a terminal", async (_, argv) => {
  const document = JSON.parse(AXPY_JSON);
  document.nodes[0].name = HOSTILE;
  document.nodes[1].type = HOSTILE;
  const cwd = folder({
    "axpy.json": AXPY_JSON,
    "x.csv": "1\n",
    "hostile.csv": `${HOSTILE.replace("\u2028", "")}x,b\n`,
    "hostile.json": JSON.stringify(document),
    "hostile.mjs": `throw new Error(${JSON.stringify(HOSTILE)});`,
  });
  const plain = await cli(cwd, ...argv);
  expect(plain.code).toBeGreaterThan(0);
  expect(obeyed(plain.out + plain.err)).toEqual([]);
  expect(plain.out + plain.err).toContain("\\u009b");
  const json = await cli(cwd, ...argv, "--json");
  expect(obeyed(json.out)).toEqual([]);
  expect(JSON.stringify(json.json())).toMatch(/\\u202e|\u202e/);
});
