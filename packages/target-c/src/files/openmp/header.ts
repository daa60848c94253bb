/** The header of the function that uses several threads. */
import type { Manifest } from "@groupwise/core";
import { commentText, Text } from "@groupwise/core/kernel";
import { type Argument, entryArguments } from "../../print/arguments.ts";
import { declare, forBoth, guarded, printFirst } from "../../print/header.ts";
import { symbolOf } from "../../print/names.ts";
import { extra } from "../state/header.ts";
import type { DividedPipeline } from "./files.ts";

/** The argument that follows those of the function on one thread. */
export const THREADS: Argument = extra(
  "threads",
  "int",
  "the most threads, of which at most 1024 are used; below 1: as many as OpenMP uses",
);

/** The arguments: those of the function on one thread, and the number of threads. */
export const parallelArguments = (manifest: Manifest): readonly Argument[] => [
  ...entryArguments(manifest),
  THREADS,
];

/** The text of `gw_<name>_parallel.h`, with marked names. */
export function printParallelHeader(manifest: Manifest, divided: DividedPipeline | string): string {
  const symbol = symbolOf(manifest);
  const text = new Text();
  printFirst(text, manifest);
  guarded(text, `${symbol}_PARALLEL_H`, () => {
    text.line(`#include "${manifest.flags.header}"`);
    forBoth(text, () => {
      const about = typeof divided === "string" ? undividedText(divided) : DIVIDED[divided.division];
      text.line(`// ${symbol} on several threads, with the same bits and statuses for any number of them.`);
      for (const line of about) text.line(`// ${line}`);
      declare(text, `int ${symbol}_parallel`, parallelArguments(manifest));
    });
  });
  return text.toString();
}

const undividedText = (reason: string): readonly string[] => [
  "It uses one thread, because parts of the range cannot be computed in parallel:",
  `${commentText(reason)}.`,
];

const SHARED = [
  "It uses one thread if the file is compiled without OpenMP, and for few items. Any number of threads may call it at the same time.",
];
const STATES =
  "It allocates the states of the parts: GW_NO_MEMORY means that it could not, and that nothing is written.";

const DIVIDED: Readonly<Record<DividedPipeline["division"], readonly string[]>> = {
  map: ["Each thread computes a part of the range.", ...SHARED],
  reduce: [
    "Each thread reduces a part of the range, and the states of the parts are merged.",
    ...SHARED,
    STATES,
  ],
  scan: [
    "First it computes the states of parts of the range, in parallel, then the items of each part from the state before it.",
    ...SHARED,
    STATES,
  ],
};
