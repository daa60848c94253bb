import type { GroupwiseError } from "@groupwise/core";
import { badFile } from "../../base/problem.ts";

/** The error for a source that has fewer items than the state from which a stream continues. */
export const endsBefore = (path: string, items: number, from: number): GroupwiseError =>
  badFile(
    path,
    `it has ${items} items, but the state of the stream is at item ${from}`,
    undefined,
    "pass the inputs of the first run, or run without --resume",
  );
