#!/usr/bin/env node
import { processIo } from "./base/io.ts";
import { OutputFailure } from "./base/reasons.ts";
import { main } from "./main.ts";

// The reader of the output may stop early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  import("./perform.ts").then(({ tell }) => {
    tell(new OutputFailure(error), processIo());
    process.stderr.write("", () => process.exit(2));
  });
});

const code = await main(process.argv.slice(2), processIo());
// Drivers keep threads and handles of their own: the end is said, not waited for, once all is written.
process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
