#!/usr/bin/env node
import { createInterface } from "node:readline/promises";
import { main } from "./main.ts";

/** Asks on the terminal, if there is one. */
async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(`${question}: `);
  } finally {
    terminal.close();
  }
}

process.exitCode = await main(process.argv.slice(2), {
  cwd: process.cwd(),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  ...(process.stdin.isTTY && { ask }),
});
