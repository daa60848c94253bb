/** A tutorial as steps: files, commands, and their output. */
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

export interface FileStep {
  readonly kind: "file";
  readonly name: string;
  readonly text: string;
}

/** Commands, whether the last one fails, and the block with their output. */
export interface Run {
  readonly kind: "run";
  readonly commands: readonly string[];
  readonly fails: boolean;
  readonly output?: string;
}

export type Step = FileStep | Run;

export interface Tutorial {
  readonly name: string;
  readonly steps: readonly Step[];
}

const FOLDER = fileURLToPath(new URL("../../tutorials/", import.meta.url));

/** The first line of a file names it: `// sums.ts`, `# CMakeLists.txt`, `<!-- index.html -->`. */
const NAME = /^(?:\/\/|#|<!--) ([\w./-]+\.\w+)(?: -->)?\n/;

/** @throws Error for a block that is neither a file nor commands nor an output, which no test would check */
export function stepsOf(page: string): readonly Step[] {
  const steps: Step[] = [];
  for (const [, language, fails, text = ""] of page.matchAll(/^```(\w+)( fails)?\n([\s\S]*?)^```$/gm)) {
    const last = steps.at(-1);
    const name = NAME.exec(text)?.[1];
    if (language === "sh")
      steps.push({ kind: "run", commands: commandsOf(text), fails: fails !== undefined });
    else if (language === "text" && last?.kind === "run" && last.output === undefined)
      steps[steps.length - 1] = { ...last, output: text };
    else if (name !== undefined) steps.push({ kind: "file", name, text });
    else throw new Error(`a block of ${language} has no name in its first line: ${text.slice(0, 60)}`);
  }
  return steps;
}

/** One for each line; a backslash at the end continues it. */
const commandsOf = (text: string): readonly string[] =>
  text
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => line.replace(/(^|\s+)#.*$/, "").trim())
    .filter((line) => line !== "");

const tutorialOf = (path: string): Tutorial => ({
  name: basename(path, ".md"),
  steps: stepsOf(readFileSync(path, "utf8")),
});

/** All tutorials of the site, and the first page. */
export const TUTORIALS: readonly Tutorial[] = [
  tutorialOf(`${FOLDER}../start.md`),
  ...readdirSync(FOLDER)
    .filter((file) => file.endsWith(".md") && file !== "index.md")
    .map((file) => tutorialOf(`${FOLDER}${file}`)),
];

/**
 * The output on a page as a regular expression: `…` matches a part of a line, such as a time, and on a line of its own any
 * lines.
 */
export function pattern(output: string): RegExp {
  const escaped = output.trim().replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/^…$/gm, "[^]*").replaceAll("…", ".*?")}$`);
}
