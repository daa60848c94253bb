/** Help and version texts that the build saved, so that commander and the commands need not be loaded. */
import { readFileSync } from "node:fs";
import { type HelpTexts, WIDTH } from "./texts.ts";

const LONG: Readonly<Record<string, string>> = { "-h": "--help", "-V": "--version" };

/** The arguments in one form: `help run` and `run -h` are `run --help`. */
function formOf(argv: readonly string[]): string {
  const [first, ...rest] = argv.map((word) => LONG[word] ?? word);
  return (first === "help" ? [...rest, "--help"] : [first ?? "", ...rest]).join(" ");
}

/**
 * The text that these arguments print, if it is help or the version. Undefined for other arguments, if the terminal has too few columns for
 * the lines, and if the command runs from its sources.
 */
export function savedHelp(
  argv: readonly string[],
  { hasOutColours = false, columns = WIDTH }: { hasOutColours?: boolean; columns?: number | undefined },
  read: () => HelpTexts | undefined = texts,
): string | undefined {
  const form = formOf(argv);
  if (!/(^| )--(help|version)$/.test(form) || columns < WIDTH) return undefined;
  const found = read()?.[hasOutColours ? "coloured" : "plain"];
  return found && Object.hasOwn(found, form) ? found[form] : undefined;
}

function texts(): HelpTexts | undefined {
  try {
    return JSON.parse(readFileSync(new URL("./help.json", import.meta.url), "utf8")) as HelpTexts;
  } catch {
    return undefined;
  }
}
