/**
 * Outputs that stand in the array of an input. It is worked out on the kernels as they will be printed, whatever
 * strategy wrote them: an element may be overwritten by the work-item that alone still needed it.
 */

import type { Capabilities } from "../capabilities.ts";
import { type Expr, mapParts, partsOf } from "../kernel/expr.ts";
import {
  type Buffer,
  blocksOf,
  exprsOf,
  type Kernel,
  type Module,
  mapStmt,
  type Stmt,
} from "../kernel/stmt.ts";

/** By output name: the input whose array it takes. */
export type InPlace = Readonly<Record<string, string>>;

/** What is wrong with a wish. */
export interface InPlaceProblem {
  readonly output: string;
  readonly input: string;
  readonly reason: string;
}

/** The first wish that cannot be had of a module, and why. */
export function inPlaceProblem(
  module: Module,
  wishes: InPlace,
  { execution }: Pick<Capabilities, "execution">,
): InPlaceProblem | undefined {
  const pairs = Object.entries(wishes);
  for (const [i, [output, input]] of pairs.entries()) {
    const isTaken = pairs.findIndex(([, other]) => other === input) < i;
    const reason = isTaken
      ? "another output takes it already"
      : (obstacle(module, output, input) ??
        (execution === "gather" ? "here every pass makes an array of its own" : undefined));
    if (reason !== undefined) return { output, input, reason };
  }
  return undefined;
}

/** The module with one array for each output and its input; `inPlaceProblem` finds nothing wrong. */
export function placed(module: Module, wishes: InPlace): Module {
  return Object.entries(wishes).reduce((made, [output, input]) => merged(made, output, input), module);
}

/** Why an output cannot stand in an input's array; undefined where it can. */
function obstacle({ buffers, kernels }: Module, output: string, input: string): string | undefined {
  const find = (name: string, role: Buffer["role"]): Buffer | undefined =>
    buffers.find((buffer) => buffer.name === name && buffer.role === role);
  const [out, given] = [find(output, "output"), find(input, "input")];
  if (!out) return "there is no such output";
  if (!given) return "there is no such input";
  if (out.type !== given.type) return `one is ${out.type}, the other ${given.type}`;
  if (out.memory !== given.memory) return "they stand in memory in two forms";
  if (out.cleared) return "a scatter writes to places that other items may still read";
  if (JSON.stringify(out.elements) !== JSON.stringify(given.elements))
    return "the output does not have an element for each item";
  let isWritten = false;
  for (const kernel of kernels) {
    const uses = usesOf(kernel, input, output);
    if (isWritten && uses.reads.length > 0)
      return `the pass ${kernel.name} reads the input after an earlier pass wrote the output`;
    const reason = uses.writes.length > 0 ? clash(kernel, uses) : undefined;
    if (reason !== undefined) return reason;
    isWritten ||= uses.writes.length > 0;
  }
  return undefined;
}

/** One access, by the place in the text and an index with names that mean the same everywhere in the kernel. */
interface Access {
  readonly at: number;
  readonly index: string;
  /** The loops around it, the outermost first, by their places in the text. */
  readonly loops: readonly number[];
}
interface Uses {
  readonly reads: readonly Access[];
  readonly writes: readonly Access[];
  /** Something touches one of the arrays in another way than element by element. */
  readonly inBlocks: boolean;
}

/**
 * Why reads and writes of one pass get in each other's way. A lowering writes an output's element once, so that
 * work-items and rounds of a loop with the same index are one and the same; lanes past the end, which read the
 * last item again, do nothing with it.
 */
function clash(kernel: Kernel, { reads, writes, inBlocks }: Uses): string | undefined {
  const { name } = kernel;
  if (inBlocks) return `the pass ${name} moves several elements at once`;
  const isAlone = kernel.workGroupSize === 1 && kernel.groups === 1;
  for (const read of reads) {
    // Where there is one work-item, what it reads before all of its writes is still there.
    if (isAlone && writes.every((write) => read.at < write.at && isApart(read, write))) continue;
    const same = writes.filter(({ index }) => index === read.index);
    if (same.length === 0)
      return `in the pass ${name} an item reads another's element, which may be overwritten`;
    if (same.some(({ at }) => at < read.at))
      return `the pass ${name} reads an element again after writing it`;
  }
  return undefined;
}

/** No loop repeats both. */
const isApart = (a: Access, b: Access): boolean => a.loops[0] === undefined || a.loops[0] !== b.loops[0];

/** What a name in an index stands for. */
type Meanings = ReadonlyMap<string, string>;

function usesOf(kernel: Kernel, input: string, output: string): Uses {
  const reads: Access[] = [];
  const writes: Access[] = [];
  let inBlocks = false;
  let at = 0;
  const numbers = new Map<string, string>();
  // Short: a let that is used twice must not double the text.
  const intern = (text: string): string => {
    const known = numbers.get(text) ?? `#${numbers.size}`;
    numbers.set(text, known);
    return known;
  };
  // A variable means another thing after each assignment, and in each round of a loop that has one.
  const versions = new Map<string, number>();
  const renew = (name: string): void => {
    versions.set(name, (versions.get(name) ?? 0) + 1);
  };
  const meaning = (expr: Expr, known: Meanings): string => {
    if (expr.kind === "var") return known.get(expr.name) ?? `${expr.name}#${versions.get(expr.name) ?? 0}`;
    const parts = partsOf(expr).map((part) => meaning(part, known));
    const { kind, type } = expr;
    const own = Object.values(mapParts(expr, () => NOWHERE)).filter((value) => typeof value !== "object");
    return intern(`${kind}:${type}:${own.join(",")}(${parts.join(";")})`);
  };
  const look = (expr: Expr, known: Meanings, loops: readonly number[]): void => {
    for (const part of partsOf(expr)) look(part, known, loops);
    if (!("array" in expr) || (expr.array !== input && expr.array !== output)) return;
    if (expr.kind !== "load") inBlocks = true;
    else if (expr.array === input && expr.space === "storage")
      reads.push({ at, index: meaning(expr.index, known), loops });
  };
  const visit = (block: readonly Stmt[], outer: Meanings, loops: readonly number[]): void => {
    const known = new Map(outer);
    for (const stmt of block) {
      at++;
      for (const expr of exprsOf(stmt)) look(expr, known, loops);
      if (stmt.kind === "let") known.set(stmt.name, meaning(stmt.value, known));
      else if (stmt.kind === "var" || stmt.kind === "assign") renew(stmt.name);
      else if (stmt.kind === "store") {
        if (stmt.space === "storage" && stmt.array === output)
          writes.push({ at, index: meaning(stmt.index, known), loops });
      } else if ("array" in stmt && (stmt.array === input || stmt.array === output)) {
        inBlocks = true;
        if (stmt.kind === "load-row" && stmt.array === input)
          reads.push({ at, index: meaning(stmt.index, known), loops });
        if (stmt.kind === "store-row" && stmt.array === output)
          writes.push({ at, index: meaning(stmt.index, known), loops });
      }
      if (stmt.kind === "for" || stmt.kind === "while") {
        for (const name of assignedIn(stmt.body)) renew(name);
        const inner = new Map(known);
        if (stmt.kind === "for") {
          const range = [stmt.from, stmt.below].map((e) => meaning(e, known));
          inner.set(stmt.name, intern(`each:${loops.length}:${stmt.step}(${range.join(";")})`));
        }
        visit(stmt.body, inner, [...loops, at]);
        for (const name of assignedIn(stmt.body)) renew(name);
      } else for (const inner of blocksOf(stmt)) visit(inner, known, loops);
    }
  };
  visit(kernel.body, new Map(), []);
  return { reads, writes, inBlocks };
}

const NOWHERE: Expr = { kind: "const", type: "u32", value: 0 };

function* assignedIn(block: readonly Stmt[]): Generator<string> {
  for (const stmt of block) {
    if (stmt.kind === "assign") yield stmt.name;
    for (const inner of blocksOf(stmt)) yield* assignedIn(inner);
  }
}

function merged(module: Module, output: string, input: string): Module {
  const expr = (e: Expr): Expr => {
    const made = mapParts(e, expr);
    return made.kind === "load" && made.space === "storage" && made.array === input
      ? { ...made, array: output }
      : made;
  };
  const block = (b: readonly Stmt[]): readonly Stmt[] =>
    b.map((stmt) => {
      const made = mapStmt(stmt, expr, block);
      return made.kind === "load-row" && made.array === input ? { ...made, array: output } : made;
    });
  return {
    ...module,
    buffers: module.buffers.flatMap((buffer) =>
      buffer.name === input ? [] : [buffer.name === output ? { ...buffer, inPlace: input } : buffer],
    ),
    kernels: module.kernels.map((kernel) => ({ ...kernel, body: block(kernel.body) })),
  };
}
