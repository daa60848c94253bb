/** `groupwise completion`: the script that completes the command in a shell. */
import { script } from "@bomb.sh/tab";
import type { Outcome } from "../base/outcome.ts";
import { badUsage } from "../base/problem.ts";
import { oneOf } from "../base/suggest.ts";
import { SHELLS, type Shell } from "../completion/shells.ts";

const NAME = "groupwise";

/** Bash splits words at `=`, so it would insert the files of `--input name=FILE` after a second `name=`. */
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
