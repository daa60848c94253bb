import { readFileSync } from "node:fs";
import type { Operator } from "@groupwise/core";
import { expect, test } from "vitest";
import { scalarOperator } from "../../ir/test/operator-builder.ts";
import { documentOf as documentWith } from "../../ir/test/support.ts";
import { cli, folder } from "./support.ts";

/** (a + b) / 2: what many think a running mean is. */
const AVERAGE = scalarOperator("average", "f32", 0, (a, b) => a.op("add", b).op("mul", 0.5), true);
const SUM = scalarOperator("sum", "f32", 0, (a, b) => a.op("add", b), true);
/** A sum that overflows where operands are large: the pipeline below feeds it none. */
const MODULAR = scalarOperator("modular", "u32", 0, (a, b) => a.op("add", b).op("rem", 1000), true);

const documentOf = (operators: readonly Operator[], type: "f32" | "u32"): string => {
  const { nodes, ...document } = documentWith([
    { kind: "input", name: "x", type },
    { kind: "const", type, value: 7 },
    { kind: "binary", op: type === "u32" ? "rem" : "mul", left: 0, right: 1 },
    { kind: "user-collective", form: "scan-inclusive", operator: 0, field: 0, scope: "device", of: [2] },
    { kind: "output", name: "y", of: 3 },
  ]);
  return JSON.stringify({ ...document, operators, nodes });
};
const check = (document: string, ...more: string[]) =>
  cli(folder({ "p.json": document }), "check", "p.json", ...more);

test("a law that does not hold exits with 1 and a counterexample", async () => {
  const ran = await check(documentOf([AVERAGE], "f32"), "--json");
  expect(ran.code).toBe(1);
  const [found] = ran.json().operators;
  expect(found).toMatchObject({ operator: "average", domain: "fed", fields: [{ name: "x", type: "f32" }] });
  const [associative, commutative] = found.laws;
  expect(associative).toMatchObject({ law: "associative", held: false, ok: false, claimed: true });
  expect(Object.keys(associative.counterexample)).toEqual(["a", "b", "c", "left", "right"]);
  expect(commutative).toMatchObject({ law: "commutative", held: true, ok: true });
  const { out } = await check(documentOf([AVERAGE], "f32"));
  expect(out).toMatch(
    /operator average \{ x: f32 \}, on operands from the pipeline\n {2}associative: +DOES NOT HOLD\n/,
  );
});

test("laws that hold, exactly or up to rounding, exit with 0", async () => {
  const ran = await check(documentOf([SUM], "f32"), "--json");
  expect(ran.json().operators[0].laws.map(({ held }: { held: unknown }) => held)).toEqual([
    "up to rounding",
    true,
    "up to the sign of zero",
    "up to the sign of zero",
  ]);
  expect(ran.code).toBe(0);
});

test("the operands that the pipeline passes are tested, and any values if it passes none", async () => {
  const fed = await check(documentOf([MODULAR], "u32"), "--json");
  expect([fed.code, fed.json().operators[0].domain]).toEqual([0, "fed"]);
  const unused = documentOf([MODULAR, { ...MODULAR, name: "other" }], "u32");
  const ran = await check(unused);
  expect(ran.code).toBe(1);
  expect(ran.out).toMatch(/operator other \{ x: u32 \}, on arbitrary values/);
  expect(ran.err).toMatch(/no node uses other/);
});

test("--samples sets the number of samples, --no-laws skips the test", async () => {
  const document = documentOf([SUM], "f32");
  const few = (await check(document, "--json", "--samples", "10")).json();
  expect(few.operators[0].laws[0].samples).toBe(10);
  expect((await check(document, "--json", "--no-laws")).json().operators).toEqual([]);
  expect((await check(document, "--samples", "0")).code).toBe(2);
});

test("the page on laws shows a current operator and its report", async () => {
  const page = readFileSync(new URL("../../../apps/docs/laws.md", import.meta.url), "utf8");
  const blocks = (language: string): string[] =>
    [...page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map((found) => found[1] as string);
  const [wrong = "", right = ""] = blocks("ts");
  const [about, answer] = blocks("text");
  // The right formula takes the place of the wrong one.
  const corrected = wrong.replace(/ {4}combine: .*\n/, right);
  const checked = async (text: string) => cli(folder({ "mean.ts": text }), "check", "mean.ts");
  const [first, second] = [await checked(wrong), await checked(corrected)];
  expect([first.code, second.code]).toEqual([1, 0]);
  expect(first.out).toContain(about);
  expect(second.out).toContain(answer);
});
