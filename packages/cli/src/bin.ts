#!/usr/bin/env node
import { processIo } from "./io.ts";
import { main } from "./main.ts";

// Files are written without a pause (see files.ts), so a handler never runs in the middle of that.
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  process.on(signal, () => process.exit(code));
}
// Whoever reads the output may stop early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 2));

const code = await main(process.argv.slice(2), processIo());
// Drivers keep threads and handles of their own: the end is said, not waited for, once all is written.
process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
