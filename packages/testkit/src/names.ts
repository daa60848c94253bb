/** Documents whose names are words of a language, in every role that a name has. */
import { check, type Pipeline, type RunValues } from "@groupwise/core";
import { PipelineNodes } from "@groupwise/core/target";
import { CASES } from "./cases/index.ts";

/** The roles of a name; each word takes every role in turn. */
const ROLES = ["input", "output", "param", "table", "scatter"] as const;
type Role = (typeof ROLES)[number];

/** A document, and values for a run of `n` items. */
export interface Named {
  readonly ir: Pipeline;
  values(n: number): RunValues;
}

const NAME = /^[A-Za-z](?:_?[A-Za-z0-9])*$/;
/** Words of a text, code and comments, that a document may use as names. */
export function namesIn(texts: Iterable<string>): readonly string[] {
  const found = new Set<string>();
  for (const text of texts)
    for (const [word] of text.matchAll(/(?<!\w)[A-Za-z]\w*/g)) if (isName(word)) found.add(word);
  return [...found];
}
/** Whether the grammar accepts it; the grammar refuses names that every JavaScript object has. */
export const isName = (word: string): boolean =>
  NAME.test(word) && word.length <= 64 && !(word in {}) && word !== "prototype";

/** The cases whose texts hold the most different words, up to a limit. */
export function coveringCases(wordsOf: (ir: Pipeline) => readonly string[], most: number): readonly Named[] {
  const all = CASES.map(({ ir, values }) => ({ ir, values, words: wordsOf(ir) }));
  const missing = new Set(all.flatMap(({ words }) => words));
  const chosen: Named[] = [];
  while (missing.size > 0 && chosen.length < most) {
    const news = all.map(({ words }) => words.filter((word) => missing.has(word)).length);
    const best = all[news.indexOf(Math.max(...news))] as (typeof all)[number];
    for (const word of best.words) missing.delete(word);
    chosen.push({ ir: best.ir, values: (n) => best.values(n, 0) });
  }
  return chosen;
}

/** The number of calls of {@link withNames} after which each word has had every role. */
export const TURNS: number = ROLES.length;

/**
 * The document with more nodes, whose names are the words. Operators, their fields and the pipeline have these names too.
 */
export function withNames(base: Named, words: readonly string[], turn: number): Named {
  const { ir } = base;
  const own = new Set(ir.nodes.flatMap((node) => ("name" in node ? [node.name] : [])));
  const more = words.filter((word) => !own.has(word));
  const list = new PipelineNodes();
  for (const node of ir.nodes) list.add(node);
  const index = list.query("global-linear-id");
  const roleOf = (i: number): Role => ROLES[(i + turn) % TURNS] as Role;
  const made: Readonly<Record<Role, (name: string) => number | undefined>> = {
    input: (name) => list.input(name, "u32"),
    param: (name) => list.add({ kind: "param", name, type: "u32" }),
    table: (name) => list.add({ kind: "gather", of: list.add({ kind: "table", name, type: "u32" }), index }),
    output: (name) => void list.output(name, index),
    scatter: (name) => void list.add({ kind: "scatter", name, value: index, slot: index }),
  };
  // In pairs, because the depth of expressions is limited.
  let sums = more.flatMap((name, i) => made[roleOf(i)](name) ?? []);
  while (sums.length > 1)
    sums = sums.flatMap((left, i) => {
      const right = sums[i + 1];
      if (i % 2 === 1) return [];
      return [right === undefined ? left : list.binary("add", left, right)];
    });
  list.output("sum0of0words", sums[0] ?? index);
  const wordAt = (i: number): string => words[(i + turn) % words.length] as string;
  let next = 0;
  const operators = ir.operators?.map((operator) => ({
    ...operator,
    name: wordAt(next++),
    fields: operator.fields.map((field) => ({ ...field, name: wordAt(next++) })),
  }));
  const named = { ...ir, name: wordAt(turn), nodes: list.nodes, ...(operators && { operators }) };
  const { inputs, tables, params } = check(named);
  const isNew = new Set(more);
  const values = (n: number): RunValues => ({
    ...base.values(n),
    ...Object.fromEntries(
      [
        ...inputs.map(({ name }) => [name, Uint32Array.from({ length: n }, (_, i) => 3 * i + 1)] as const),
        ...tables.map(({ name }) => [name, Uint32Array.of(2, 3, 5, 7)] as const),
        ...params.map(({ name }) => [name, 11] as const),
      ].filter(([name]) => isNew.has(name)),
    ),
  });
  return { ir: named, values };
}

/** A case by its name. */
export function namedCase(name: string): Named {
  const found = CASES.find((one) => one.name === name);
  if (!found) throw new Error(`unknown case ${name}`);
  return { ir: found.ir, values: (n) => found.values(n, 0) };
}

/** Every word in every role, a number of words a document; beside them a scan, a reduce and a scatter. */
export function allNames(words: readonly string[], most: number, turns: number = TURNS): readonly Named[] {
  const named = namedCase("line-index");
  return Array.from({ length: Math.ceil(words.length / most) }, (_, i) =>
    words.slice(i * most, (i + 1) * most),
  ).flatMap((some) => Array.from({ length: turns }, (_, turn) => withNames(named, some, turn)));
}
