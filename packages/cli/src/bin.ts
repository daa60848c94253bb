#!/usr/bin/env node
import { processIo } from "./base/io.ts";
import { OutputFailure } from "./base/reasons.ts";
import { savedHelp } from "./saved/help.ts";

// The reader of the output may stop early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  import("./perform.ts").then(({ tell }) => {
    tell(new OutputFailure(error), processIo());
    process.stderr.write("", () => process.exit(2));
  });
});

const argv = process.argv.slice(2);
const io = processIo();
const help = savedHelp(argv, io);
// Commander and the commands are loaded only if they are needed.
const code = help === undefined ? await (await import("./main.ts")).main(argv, io) : await print(help);

async function print(text: string): Promise<0 | 2> {
  try {
    io.out(text);
    return 0;
  } catch (error) {
    (await import("./perform.ts")).tell(error, io);
    return 2;
  }
}
// Drivers keep threads and handles open, so the process exits explicitly after all output is written.
process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
