/** Lines of texts that belong to lines of a declaration. */
import type { Linked } from "../engine/messages.ts";

/** Identifiers of a line; a function that reads the array `x` is `x_at`. */
const wordsOf = (line: string): ReadonlySet<string> =>
  new Set((line.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []).flatMap((word) => [word, word.replace(/_at$/, "")]));

/** Parts of vectors are no names of the pipeline; those of the parameters are. */
const MEMBERS = /(?<!\bparams)\.[A-Za-z_]\w*/g;

/** For each line of an emitted text, the lines of the declaration about a name in it. */
export function linksOfText(text: string, linked: readonly Linked[]): readonly (readonly number[])[] {
  return text.split("\n").map((line) => {
    const words = wordsOf(line.replace(/\/\/.*$/, "").replace(MEMBERS, ""));
    return linked.filter(({ names }) => names.some((name) => words.has(name))).map((one) => one.line);
  });
}

/** For each line of a document, the line of the declaration that its node names as its place. */
export function linksOfDocument(text: string): readonly (readonly number[])[] {
  const lines = text.split("\n");
  const links: (readonly number[])[] = lines.map(() => []);
  let start = -1;
  for (const [i, line] of lines.entries()) {
    if (/^ {4}\{/.test(line)) start = i;
    if (!/^ {4}\}|^ {4}\{.*\},?$/.test(line) || start < 0) continue;
    const node = lines.slice(start, i + 1).join("\n");
    const at = /"at": ?"[^"\n]*:(\d+):\d+"/.exec(node)?.[1];
    if (at !== undefined) links.fill([Number(at)], start, i + 1);
    start = -1;
  }
  return links;
}
