/** A host in C99 for OpenCL 1.2: a function that runs the passes, and a program that demonstrates it on sample data. */
import type { Manifest } from "@groupwise/core";
import { commentText, Text } from "@groupwise/core/kernel";
import { defineEnqueue } from "./c-enqueue.ts";
import { defineMain } from "./c-main.ts";
import { macroOf } from "./c-names.ts";
import { defineRun } from "./c-run.ts";
import { defineSteps } from "./c-steps.ts";
import { HostText, PRELUDE, SHOW_MAIN } from "./c-text.ts";

/** The text of `<name>_host.c`. Deterministic. */
export function printHost(manifest: Manifest, header: string, command: string): string {
  const text = new Text();
  text.line(
    `// ${manifest.pipeline}: a host in C99 for OpenCL 1.2. Made by ${manifest.generator}; do not edit;`,
  );
  text.line("// regenerate it with");
  text.line(`//   ${commentText(command)}`);
  text.line(
    "// Build it, for example: cc -std=c99 THIS.c -lOpenCL. With -DGROUPWISE_NO_MAIN it is a library.",
  );
  const functions = new HostText();
  defineRun(functions, manifest);
  defineSteps(functions, manifest);
  defineEnqueue(functions, manifest);
  for (const line of [...PRELUDE, ...functions.helpers()]) text.line(line);
  text.line(`#include "${header}"`);
  text.line();
  for (const line of functions.toString().trimEnd().split("\n")) text.line(line);
  text.line();
  text.line("#ifndef GROUPWISE_NO_MAIN");
  for (const line of SHOW_MAIN(macroOf(manifest))) text.line(line);
  text.line();
  defineMain(text, manifest);
  text.line("#endif");
  return text.toString();
}
