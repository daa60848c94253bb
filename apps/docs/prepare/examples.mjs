// The examples, printed from their headers and code.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { page } from "./markdown.mjs";

const EXAMPLES = resolve(dirname(fileURLToPath(import.meta.url)), "../../../examples");

export function examplesPage() {
  const programs = readdirSync(EXAMPLES)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({ name: basename(file, ".ts"), text: readFileSync(join(EXAMPLES, file), "utf8") }))
    .filter(({ text }) => text.includes("function main("));
  return page(
    "Examples",
    "`examples/`",
    "Programs on real data. Each runs with one command from a fresh clone, by default in JavaScript; " +
      "`--target wgsl`, `--target opencl` or `--target all` runs it on devices and prints the same lines. " +
      "The tests run each on JavaScript, lavapipe and PoCL, and compare its results with an independent computation.",
    ...programs.map(sectionOf),
  );
}

function sectionOf({ name, text }) {
  const [, header, code] = /^\/\*\*\n([\s\S]*?)\n \*\/\n([\s\S]*)$/.exec(text) ?? [];
  if (header === undefined) throw new Error(`examples/${name}.ts has no header`);
  const blocks = header
    .split("\n")
    .map((line) => line.replace(/^ \* ?/, ""))
    .join("\n")
    .split(/\n\n+/);
  const prose = blocks.map((block) =>
    block.startsWith("  ") ? fenced("sh", unindented(block)) : emphasised(block),
  );
  return [`## ${name}`, ...prose, fenced("ts", code.trim())].join("\n\n");
}

const fenced = (language, text) => `\`\`\`${language}\n${text}\n\`\`\``;
const unindented = (text) => text.replace(/^ {2}/gm, "");
/** "Why a scan: …" with its first words in bold. */
const emphasised = (text) => text.replace(/^([A-Z][\w ]{2,30}): /, "**$1:** ");
