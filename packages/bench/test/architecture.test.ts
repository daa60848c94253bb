/** The reduce that ARCHITECTURE.md follows: each step is made here. `npx vitest run packages/bench/test/architecture.test.ts -u` writes them again. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { emit, type Pipeline } from "@groupwise/core";
import type { Module } from "@groupwise/core/kernel";
import { watchPasses } from "@groupwise/kernel/passes/base/pass.js";
import { wgsl } from "@groupwise/target-wgsl";
import { expect, test } from "vitest";
import { linesOf } from "../../kernel/test/kernel-text.ts";
import dots from "./followed/dots.ts";

const ARCHITECTURE = fileURLToPath(new URL("../../../ARCHITECTURE.md", import.meta.url));

const nodesOf = ({ nodes }: Pipeline): string =>
  nodes.map(({ at, ...node }) => JSON.stringify(node)).join("\n");

const bodyOf = ({ kernels }: Module): readonly string[] => kernels.flatMap(({ body }) => linesOf(body));

/** The lines that a pass removes and adds. */
function changeOf(name: string, before: readonly string[], after: readonly string[]): string {
  const removed = before.filter((line) => !after.includes(line)).map((line) => `- ${line.trim()}`);
  const added = after.filter((line) => !before.includes(line)).map((line) => `+ ${line.trim()}`);
  return [`${name}:`, ...removed, ...added].join("\n");
}

function stepsOf(): Readonly<Record<string, string>> {
  const bodies: (readonly string[])[] = [];
  const changes: string[] = [];
  watchPasses({
    begins: (module) => module,
    ended: ({ name }, before, after) => {
      const [from, to] = [bodyOf(before), bodyOf(after)];
      bodies.push(from);
      if (from.join() !== to.join()) changes.push(changeOf(name, from, to));
    },
  });
  const [file] = emit(dots, wgsl, { subnormals: "flush" }).files;
  watchPasses();
  const [, kernel = ""] = file?.text.split(/^(?=@compute)/m) ?? [];
  return {
    declaration: readFileSync(new URL("followed/dots.ts", import.meta.url), "utf8").trimEnd(),
    document: nodesOf(dots.ir),
    lowered: bodies[0]?.join("\n") ?? "",
    passes: changes.join("\n"),
    wgsl: kernel.trimEnd(),
  };
}

test("each step of ARCHITECTURE.md is what the code makes", async () => {
  const steps = stepsOf();
  const shown: string[] = [];
  const text = readFileSync(ARCHITECTURE, "utf8").replace(
    /(<!-- step: (\w+) -->\n```\w+\n)[\s\S]*?(?=```)/g,
    (_, head: string, name: string) => {
      shown.push(name);
      return `${head}${steps[name]}\n`;
    },
  );
  expect(shown).toEqual(Object.keys(steps));
  await expect(text).toMatchFileSnapshot(ARCHITECTURE);
});
