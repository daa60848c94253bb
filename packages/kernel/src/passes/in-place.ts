/**
 * Outputs that use the array of an input. The analysis works on the finished kernels of any strategy: a
 * work-item may overwrite an element that only it still needs.
 */

import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Capabilities } from "../capabilities/capabilities.ts";
import type { Expr } from "../language/expr.ts";
import { mapParts } from "../language/map-expr.ts";
import type { Buffer, Kernel, Module } from "../language/module.ts";
import type { Stmt } from "../language/stmt.ts";
import { mapStmt } from "../language/walk.ts";
import { type Access, type Uses, usesOf } from "./accesses.ts";
import type { Around, InPlaceOutputs, PassRefusal } from "./base/pass.ts";

/** The reason for a refusal. */
export interface InPlaceProblem {
  readonly output: string;
  readonly input: string;
  readonly reason: string;
}

/** The first request that a module cannot satisfy, and the reason. */
export function inPlaceProblem(
  module: Module,
  wishes: InPlaceOutputs,
  { execution }: Pick<Capabilities, "execution">,
): InPlaceProblem | undefined {
  const pairs = Object.entries(wishes);
  for (const [i, [output, input]] of pairs.entries()) {
    const isTaken = pairs.findIndex(([, other]) => other === input) < i;
    const reason = isTaken
      ? "another output already uses it"
      : (obstacle(module, output, input) ??
        (execution === "per-output" ? "every pass of this target makes a new array" : undefined));
    if (reason !== undefined) return { output, input, reason };
  }
  return undefined;
}

/** The module with one array for each output and its input. */
export function mergeArrays(module: Module, { capabilities, wishes = {} }: Around): Module | PassRefusal {
  const problem = inPlaceProblem(module, wishes, capabilities);
  if (problem) {
    const error = errorOf("in-place-refused", problem, module.name);
    return { refused: `not in place: ${problem.reason}`, error };
  }
  return Object.entries(wishes).reduce((made, [output, input]) => merged(made, output, input), module);
}

/** The reason why an output cannot alias an input; undefined if it can. */
function obstacle({ buffers, kernels }: Module, output: string, input: string): string | undefined {
  const find = (name: string, role: Buffer["role"]): Buffer | undefined =>
    buffers.find((buffer) => buffer.name === name && buffer.role === role);
  const [out, given] = [find(output, "output"), find(input, "input")];
  if (!out) return "the pipeline has no such output";
  if (!given) return "the pipeline has no such input";
  if (out.type !== given.type) return `their types differ: ${out.type} and ${given.type}`;
  if (out.memory !== given.memory) return "they have different forms in memory";
  if (out.scatter) return "a scatter writes elements that other items may read later";
  if (JSON.stringify(out.elements) !== JSON.stringify(given.elements))
    return "the output does not have one element for each item";
  let isWritten = false;
  for (const kernel of kernels) {
    const uses = usesOf(kernel, input, output);
    if (isWritten && uses.reads.length > 0 && !kernel.isIndependent)
      return `the pass ${kernel.name} reads the input after an earlier pass wrote the output`;
    const reason = uses.writes.length > 0 ? clash(kernel, uses) : undefined;
    if (reason !== undefined) return reason;
    isWritten ||= uses.writes.length > 0;
  }
  return undefined;
}

/**
 * The reason why reads and writes of one pass conflict. A lowering writes each element of an output once, so accesses
 * with the same index belong to the same work-item and iteration; lanes past the end read the last item again
 * but do not use it.
 */
function clash(kernel: Kernel, { reads, writes, inBlocks }: Uses): string | undefined {
  const { name } = kernel;
  if (inBlocks) return `the pass ${name} reads or writes them in another way than by items`;
  const isAlone = kernel.workGroupSize === 1 && kernel.groups === 1;
  for (const read of reads) {
    // A single work-item may read anything before its first write.
    if (isAlone && writes.every((write) => read.at <= write.at && isApart(read, write))) continue;
    const same = writes.filter(({ index }) => index === read.index);
    if (same.length === 0)
      return `in the pass ${name} an item reads an element of another item, which may be overwritten`;
    if (same.some(({ at }) => at < read.at))
      return `the pass ${name} reads an element again after writing it`;
  }
  return undefined;
}

/** True if no loop contains both. */
const isApart = (a: Access, b: Access): boolean => a.loops[0] === undefined || a.loops[0] !== b.loops[0];

function merged(module: Module, output: string, input: string): Module {
  const expr = (e: Expr): Expr => {
    const made = mapParts(e, expr);
    return made.kind === "load" && made.array === input ? { ...made, array: output } : made;
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
