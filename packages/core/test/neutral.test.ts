/** Core names no target and no driver: what one of them needs is capability data. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "@groupwise/ir/document/check.js";
import { statementsOf, usesSubgroups } from "@groupwise/kernel/language/walk.js";
import { lower } from "@groupwise/lower/lower.js";
import { describe, expect, test } from "vitest";
import { documentOf } from "../../ir/test/support.ts";
import { SIMT } from "../../kernel/test/simt.ts";

const PACKAGES = join(import.meta.dirname, "../..");
const OWN = ["ir", "kernel", "lower", "runtime", "streams", "core"];
const DRIVERS =
  /pocl|nvidia|\bapple|\bintel\b|\bamd\b|llvm|\bmesa|lavapipe|swiftshader|\bdawn\b|\btint\b|\bnaga\b/i;
const TARGETS = /wgsl|opencl|wasm|webassembly|cuda|\bhip\b|javascript|gpu\.?js|webgpu|vulkan|metal\b/i;
/** Strings, which are code, and comments. */
const TOKENS = /"(?:\\.|[^"\\])*"|`(?:\\[\s\S]|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/.*/g;

const files = OWN.flatMap((name) =>
  readdirSync(join(PACKAGES, name, "src"), { recursive: true, encoding: "utf8" }).map((file) =>
    join(name, "src", file),
  ),
).filter((name) => name.endsWith(".ts"));
const linesWith = (text: string, what: RegExp): string[] =>
  text.split("\n").filter((line) => what.test(line));
const codeOf = (text: string): string =>
  text.replaceAll(TOKENS, (token) => (token.startsWith("/") ? "" : token));
const commentsOf = (text: string): string =>
  [...text.matchAll(TOKENS)]
    .map(([token]) => token)
    .filter((token) => token.startsWith("/"))
    .join("\n")
    // Examples are programs of users, who choose a target.
    .replaceAll(/ \* ```ts$[\s\S]*?^ \* ```$/gm, "");

test("the code names no target and no driver", () => {
  expect(files.length).toBeGreaterThan(100);
  for (const file of files) {
    const code = codeOf(readFileSync(join(PACKAGES, file), "utf8"));
    expect(linesWith(code, DRIVERS), file).toEqual([]);
    expect(linesWith(code, TARGETS), file).toEqual([]);
  }
});

test("comments name no driver, and a target's language only as the source of a definition", () => {
  for (const file of files) {
    const comments = commentsOf(readFileSync(join(PACKAGES, file), "utf8"));
    expect(linesWith(comments, DRIVERS), file).toEqual([]);
    const cited = linesWith(comments, TARGETS).filter(
      (line) => !/OpenCL C/.test(line) || !file.startsWith("ir"),
    );
    expect(cited, file).toEqual([]);
  }
});

describe("work-groups below `leastGroup`", () => {
  const pipeline = documentOf(
    [
      { kind: "input", name: "x", type: "u32" },
      {
        ...{ kind: "scan-inclusive", op: "add", type: "u32", identity: 0 },
        ...{ scope: "work-group", order: "fixed", of: 0 },
      },
      { kind: "output", name: "sums", of: 1 },
    ],
    [8],
  );
  const moduleFor = (leastGroup: number, more: object) =>
    lower(check(pipeline), { ...SIMT, ...more, leastGroup }).module;

  test("use no function of the language", () => {
    const asks = (least: number): boolean =>
      statementsOf(moduleFor(least, { groupFunctions: ["common-operators"] })).some(
        ({ kind }) => kind === "choice",
      );
    expect([asks(8), asks(9)]).toEqual([true, false]);
  });

  test("do not shuffle", () => {
    const shuffles = (least: number): boolean =>
      usesSubgroups(moduleFor(least, { subgroups: { minSize: 4, maxSize: 32 } }));
    expect([shuffles(8), shuffles(9)]).toEqual([true, false]);
  });
});
