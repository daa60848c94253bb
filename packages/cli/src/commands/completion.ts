/** `groupwise completion`: the script that completes the command in a shell. */
import { script } from "@bomb.sh/tab";
import type { Outcome } from "../base/outcome.ts";
import { badUsage } from "../base/problem.ts";
import { oneOf } from "../base/suggest.ts";
import { SHELLS, type Shell } from "../completion/shells.ts";

const NAME = "groupwise";

/** Bash ends words at `=`, so that the files of `--input name=FILE` would be inserted behind a second `name=`. */
const MORE: Readonly<Partial<Record<Shell, string>>> = {
  bash: 'COMP_WORDBREAKS=$(echo "$COMP_WORDBREAKS" | tr -d =)\n',
};

/** @throws GroupwiseError `bad-usage` */
export async function completionCommand(shell: string): Promise<Outcome> {
  const known = SHELLS.find((name) => name === shell);
  if (known === undefined)
    throw badUsage(`there is no script for ${JSON.stringify(shell)}`, oneOf(shell, SHELLS));
  const text = `${printed(() => script(known, NAME, NAME))}${MORE[known] ?? ""}`;
  return { code: 0, data: { shell: known, script: text }, text };
}

/** The library gives its scripts to `console.log` only. */
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
