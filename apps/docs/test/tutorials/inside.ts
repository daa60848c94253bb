/** Commands of tutorials, run in this process if possible, so that every run of the tests includes them. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { main } from "@groupwise/cli";
import { runProcess } from "@groupwise/testkit/devices";
import { vi } from "vitest";

const MODULES = fileURLToPath(new URL("../../../../node_modules/", import.meta.url));

type Command = (folder: string, ...parts: string[]) => Promise<string>;

/** Nothing is installed: the checkout has all packages that are named. */
const installs: Command = async (_, names = "") => {
  for (const name of names.split(" ").filter((word) => word && !word.startsWith("-")))
    if (!existsSync(join(MODULES, name))) throw new Error(`the checkout has no package ${name}`);
  return "";
};

const commandLine: Command = async (cwd, text = "") => {
  let written = "";
  const write = (part: string): void => {
    written += part;
  };
  const code = await main(text.split(/\s+/), { out: write, err: write, cwd, isTerminal: false });
  return code === 0 ? written : `${written}exit code ${code}\n`;
};

const program: Command = async (folder, file = "", args = "") => {
  let written = "";
  const log = vi.spyOn(console, "log").mockImplementation((...values: unknown[]) => {
    written += `${values.join(" ")}\n`;
  });
  const [argv, cwd] = [process.argv, process.cwd()];
  try {
    process.chdir(folder);
    process.argv = [argv[0] as string, join(folder, file), ...args.split(" ").filter(Boolean)];
    await import(pathToFileURL(join(folder, file)).href);
    return written;
  } finally {
    process.chdir(cwd);
    process.argv = argv;
    log.mockRestore();
  }
};

const shell: Command = async (cwd, line = "") => {
  const { code, stdout, stderr } = await runProcess("sh", ["-c", line], { cwd });
  return code === 0 ? stdout : `${stdout}${stderr}exit code ${code}\n`;
};

const COMMANDS: readonly (readonly [RegExp, Command])[] = [
  [/^npm (?:init -y|pkg set type=module)$/, async () => ""],
  [/^npm install (.*)$/, installs],
  // The full run opens devices, and makes files of more than 10^7 items.
  [/^npx groupwise (?!run .*--target (?:wgsl|opencl))([^|>"']*)$/, commandLine],
  [/^node (?!gpu\.ts|.* \d{8})(\S+\.ts)((?: \S+)*)$/, program],
  [/^((?:printf|tail|sha256sum|cmp|ls|grep|head|rm) .*)$/, shell],
];

/** The output of the commands in order; undefined if one of them is left to the full run. */
export async function runInside(commands: readonly string[], folder: string): Promise<string | undefined> {
  const found = commands.map((line) => COMMANDS.find(([form]) => form.test(line)));
  if (found.includes(undefined)) return undefined;
  let written = "";
  for (const [i, line] of commands.entries()) {
    const [form, run] = found[i] as (typeof COMMANDS)[number];
    written += await run(folder, ...(form.exec(line)?.slice(1) ?? []));
  }
  return written;
}
