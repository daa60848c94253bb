/** Requests of pages to the worker that emits and runs, and its answers. */
import type { ArrayType } from "@groupwise/core";
import type { Drawing } from "../figures/fenwick.ts";
import type { Comparison } from "./compare-text.ts";
import type { Problem } from "./problem.ts";

/** The pipeline of the landing page, or the untrusted text of a document. */
export type Source = { readonly demo: true } | { readonly document: string };

export const LANGUAGES = ["wgsl", "opencl", "cuda", "c", "wasm", "js"] as const;
/** A language that the pages show. */
export type Language = (typeof LANGUAGES)[number];
/** The languages' names for people. */
export const TITLES: Readonly<Record<Language, string>> = {
  wgsl: "WGSL",
  opencl: "OpenCL C",
  cuda: "CUDA C++",
  c: "C",
  wasm: "WebAssembly",
  js: "JavaScript",
};

/** A value that a run takes. */
export interface Argument {
  readonly name: string;
  readonly role: "input" | "table" | "param";
  readonly type: ArrayType;
}

/** The plan of one target, evaluated for n items. */
export interface PlanFacts {
  readonly items: number;
  readonly strategy: string;
  readonly summary: string;
  readonly passes: readonly PassFacts[];
  readonly bytes: string;
  readonly text: string;
}

/** One pass of a plan: the bytes that it moves, and the bytes of all passes. */
export interface PassFacts {
  readonly name: string;
  readonly about: string;
  readonly groups: string;
  readonly bytes: string;
  readonly share: number;
}

/** A text, or why there is none. */
export type Emitted = { readonly text: string; readonly file: string } | { readonly problem: Problem };

/** A line of the declaration, and the names of arrays, parameters and outputs that it is about. */
export interface Linked {
  readonly line: number;
  readonly names: readonly string[];
}

/** The data of a pipeline that pages show before it runs, beside its texts. */
export interface Shown {
  readonly name: string;
  readonly document: string;
  readonly arguments: readonly Argument[];
  readonly plan: PlanFacts | { readonly problem: Problem };
  readonly linked: readonly Linked[];
}

/** A file that the visitor dropped on an input. */
export interface InputFile {
  readonly name: string;
  readonly bytes: ArrayBuffer;
}

/** The arguments of a run beside the pipeline. */
export interface RunRequest {
  readonly n: number;
  readonly seed: number;
  /** What was typed, by name: the value of a parameter, or the values of an array, which are generated where there is none. */
  readonly typed: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, InputFile>>;
  /** Items of the drawing, at most; default 16. */
  readonly drawn?: number;
}

/** A run on one device: milliseconds of the first run with compilation, and of the next one. */
export interface Timed {
  readonly device: string;
  readonly compileMs: number;
  readonly runMs: number;
}

/** The lowest and the highest of the values from index `from` on; a gap for values that are not finite. */
export interface Span {
  readonly from: number;
  readonly low: number;
  readonly high: number;
}

/** The first values of an output, and all of them as few spans. */
export interface Preview {
  readonly name: string;
  readonly type: ArrayType;
  readonly length: number;
  readonly values: readonly string[];
  readonly spans: readonly Span[];
}

/** A scan over the first items, as a drawing. */
export interface Tree {
  readonly title: string;
  readonly drawing: Drawing<string>;
}

/** The results of a run on the CPU, and on the GPU where there is one. */
export interface RunReport {
  readonly n: number;
  readonly outputs: readonly Preview[];
  readonly cpu: Timed;
  /** Of the first built-in scan or reduce; absent where there is none that can be drawn. */
  readonly tree?: Tree;
  readonly gpu:
    | (Timed & { readonly comparison: Comparison })
    | { readonly missing: string }
    | { readonly problem: Problem };
}

/** The work of the engine by name. */
export interface Calls {
  show: { readonly ask: { readonly source: Source; readonly n: number }; readonly answer: Shown };
  emit: {
    readonly ask: { readonly source: Source; readonly language: Language };
    readonly answer: Emitted;
  };
  run: {
    readonly ask: { readonly source: Source; readonly request: RunRequest };
    readonly answer: RunReport;
  };
}

/** A message to the worker. */
export type Ask = {
  [K in keyof Calls]: { readonly id: number; readonly call: K; readonly ask: Calls[K]["ask"] };
}[keyof Calls];
/** A message from it; a note says what takes long before the answer. */
export type Answer = { readonly id: number } & (
  | { readonly answer: unknown }
  | { readonly problem: Problem }
  | { readonly note: string }
);
