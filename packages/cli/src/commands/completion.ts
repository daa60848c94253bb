/** `groupwise completion`: the script that completes the command in a shell. */
import { script } from "@bomb.sh/tab";
import type { Outcome } from "../base/outcome.ts";
import { badUsage } from "../base/problem.ts";
import { oneOf } from "../base/suggest.ts";
import { SHELLS, type Shell } from "../completion/shells.ts";

const NAME = "groupwise";

/** Changes of the library's scripts. */
const CHANGES: Readonly<Partial<Record<Shell, (text: string) => string>>> = {
  // A second `source` cannot assign a readonly variable. Bash splits words at `=`, so it would insert the files of
  // `--input name=FILE` after a second `name=`.
  bash: (text) => `${text.replaceAll(/^readonly /gm, "")}COMP_WORDBREAKS=\${COMP_WORDBREAKS//=/}\n`,
};

/** @throws GroupwiseError `bad-usage` */
export async function completionCommand(shell: string): Promise<Outcome> {
  const known = SHELLS.find((name) => name === shell);
  if (known === undefined)
    throw badUsage(`there is no script for ${JSON.stringify(shell)}`, oneOf(shell, SHELLS));
  const made = printed(() => script(known, NAME, NAME));
  const text = CHANGES[known]?.(made) ?? made;
  return { code: 0, data: { shell: known, script: text }, text };
}

/** Captures a script, because the library only prints it with `console.log`. */
function printed(act: () => void): string {
  const { log } = console;
  const lines: string[] = [];
  console.log = (line: string) => lines.push(`${line}\n`);
  try {
    act();
  } finally {
    console.log = log;
  }
  return lines.join("");
}
