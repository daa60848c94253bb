/** Colours for texts of several languages, by Prism: loaded when a text is first shown. */
import type { Grammar, Token } from "prismjs";

/** A piece of text, and the kind of token that it is part of. */
export interface Piece {
  readonly text: string;
  readonly kind: string;
}

/** By the names that pages use: Prism's grammar, and the parts of Prism that have it, in order. */
const GRAMMARS: Readonly<Record<string, readonly [name: string, load: readonly (() => Promise<unknown>)[]]>> =
  {
    wgsl: ["wgsl", [() => import("prismjs/components/prism-wgsl.js")]],
    opencl: [
      "opencl",
      [
        () => import("prismjs/components/prism-clike.js"),
        () => import("prismjs/components/prism-c.js"),
        () => import("prismjs/components/prism-opencl.js"),
      ],
    ],
    cuda: [
      "cpp",
      [
        () => import("prismjs/components/prism-clike.js"),
        () => import("prismjs/components/prism-c.js"),
        () => import("prismjs/components/prism-cpp.js"),
      ],
    ],
    c: [
      "c",
      [() => import("prismjs/components/prism-clike.js"), () => import("prismjs/components/prism-c.js")],
    ],
    wasm: ["wasm", [() => import("prismjs/components/prism-wasm.js")]],
    js: [
      "javascript",
      [
        () => import("prismjs/components/prism-clike.js"),
        () => import("prismjs/components/prism-javascript.js"),
      ],
    ],
  };

/** TypeScript and JSON in the colours of JavaScript. */
const SAME: Readonly<Record<string, string>> = { ts: "js", json: "js" };

/** Nested tokens as a flat list: the innermost kind counts. */
export function flatten(tokens: Token["content"], kind: string = ""): readonly Piece[] {
  if (typeof tokens === "string") return [{ text: tokens, kind }];
  if (!Array.isArray(tokens)) return flatten(tokens.content, tokens.type);
  return tokens.flatMap((token) => flatten(token, kind));
}

type Prism = typeof import("prismjs");
let loading: Promise<Prism> | undefined;

async function load(): Promise<Prism> {
  // Prism would otherwise colour the whole page by itself, and its grammars look for it in a global name.
  const world = globalThis as { Prism?: unknown };
  world.Prism = { manual: true, disableWorkerMessageHandler: true };
  const core = await import("prismjs/components/prism-core.js");
  const prism: Prism = core.default ?? core;
  world.Prism = prism;
  return prism;
}

/** The pieces of a text; together they are the text again. */
export async function piecesOf(text: string, language: string): Promise<readonly Piece[]> {
  const [name, parts] = GRAMMARS[SAME[language] ?? language] ?? [];
  if (name === undefined || parts === undefined) return [{ text, kind: "" }];
  loading ??= load();
  const prism = await loading;
  for (const part of parts) await part();
  return flatten(prism.tokenize(text, prism.languages[name] as Grammar));
}

/** The pieces of each line, which ends with its line break. */
export function linesOf(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const lines: Piece[][] = [[]];
  for (const { text, kind } of pieces)
    for (const part of text.match(/[^\n]*\n|[^\n]+/g) ?? []) {
      lines.at(-1)?.push({ text: part, kind });
      if (part.endsWith("\n")) lines.push([]);
    }
  return lines;
}
