/** The help texts that commander prints. */

import { VERSION } from "./base/version.ts";
import { main } from "./main.ts";
import { programOf } from "./program.ts";
import { type HelpTexts, WIDTH } from "./saved/texts.ts";

async function printed(argv: readonly string[], hasOutColours: boolean): Promise<string> {
  let text = "";
  const out = (more: string): void => {
    text += more;
  };
  await main(argv, { out, err: out, cwd: ".", isTerminal: false, hasOutColours, columns: WIDTH });
  return text;
}

/** Of all commands. */
export async function helpTexts(): Promise<HelpTexts> {
  const commands = programOf(VERSION, () => {}).commands.map((command) => [command.name(), "--help"]);
  const all = async (hasOutColours: boolean): Promise<Readonly<Record<string, string>>> => {
    const found: [string, string][] = [];
    for (const argv of [["--version"], ["--help"], ...commands])
      found.push([argv.join(" "), await printed(argv, hasOutColours)]);
    return Object.fromEntries(found);
  };
  return { plain: await all(false), coloured: await all(true) };
}
