/** What passes between the page, its sandboxed frame and the worker in that. */
import type { Problem } from "../engine/problem.ts";

/** The text that the visitor wrote. */
export interface Build {
  readonly code: string;
}
/** The worker's script is loaded: the code begins. */
export interface Started {
  readonly started: true;
}
/** What came of it: the document as untrusted text, or an error. */
export type Built = { readonly document: string } | { readonly problem: Problem };

/** The name of the visitor's file in stacks and places. */
export const FILE = "pipeline.ts";
