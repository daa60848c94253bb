// The command line's own help, command by command.
import { spawnSync } from "node:child_process";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { page } from "./markdown.mjs";

const BIN = resolve(dirname(fileURLToPath(import.meta.url)), "../../../packages/cli/dist/bin.js");

function help(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args, "--help"], {
    encoding: "utf8",
    env: { ...process.env, COLUMNS: "100", NO_COLOR: "1" },
  });
  if (status !== 0) throw new Error(`groupwise ${args.join(" ")} --help failed: ${stderr}`);
  return stdout.trimEnd();
}

const fenced = (text) => `\`\`\`text\n${text}\n\`\`\``;

export function cliPage() {
  const main = help();
  const list = main.slice(main.indexOf("Commands:"));
  const names = [...list.matchAll(/^ {2}([a-z]+)\b/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== "help");
  return page(
    "Command line",
    "the help of `groupwise`",
    "`npm install --save-dev @groupwise/cli`, then `npx groupwise`. Every command takes `--json`.",
    fenced(main),
    ...names.map((name) => `## ${name}\n\n${fenced(help(name))}`),
  );
}
