/** Runs what the emulation of types writes as JavaScript, on arrays of operands. */
import type { Scalar } from "@groupwise/core";
import {
  CFamily,
  type Expr,
  type Fn,
  FUNCTIONS,
  Names,
  spellNames,
  Text,
  verify,
} from "@groupwise/core/kernel";
import { isReservedInModule as isReserved } from "@groupwise/core/target";
import { Code } from "@groupwise/kernel/language/build.js";
import type { Pair } from "@groupwise/kernel/library/types/base/pair.js";
import { HALF_FUNCTIONS } from "@groupwise/kernel/library/types/half.js";
import { isWide, WIDE_FUNCTIONS } from "@groupwise/kernel/library/types/wide.js";
import { expect } from "vitest";
import { DIALECT } from "../../src/print/spelling.ts";

export type Value = Pair | Expr;
/** An operation on values of the types, written through the face of the emulation. */
export interface Operation {
  readonly from: readonly Scalar[];
  readonly to: Scalar;
  readonly write: (code: Code, ...operands: Value[]) => Value;
}

/** A half is held in a float, a 64-bit value in two words. */
const held = (type: Scalar): Scalar => (isWide(type) ? "u32" : type === "f16" ? "f32" : type);

function functionOf(name: string, { from, to, write }: Operation): Fn {
  const params = from.flatMap((type, i) => {
    const letter = "abc"[i] as string;
    const names = isWide(type) ? [`${letter}_lo`, `${letter}_hi`] : [letter];
    return names.map((name) => ({ name, type: held(type) }));
  });
  const code = new Code(new Names(params.map((p) => p.name)));
  const words = params.map((param): Expr => ({ kind: "var", ...param }));
  const operands = from.map((type) => {
    const [lo, hi] = words.splice(0, isWide(type) ? 2 : 1) as [Expr, Expr];
    return isWide(type) ? { lo, hi } : lo;
  });
  const result = write(code, ...operands);
  if ("lo" in result) code.return(result.lo, result.hi);
  else code.return(result);
  return { name, doc: name, params, returns: held(to), width: isWide(to) ? 2 : 1, body: code.stmts };
}

export const EMULATION: readonly Fn[] = [...HALF_FUNCTIONS, ...WIDE_FUNCTIONS];

/** The module of the operations, and of what they call. */
export function functionsOf(
  operations: Readonly<Record<string, Operation>>,
  emulation: readonly Fn[] = EMULATION,
): Fn[] {
  const own = Object.entries(operations).map(([name, operation]) => functionOf(name, operation));
  const functions = [...FUNCTIONS.filter(({ name }) => name === "popcount_u32"), ...emulation, ...own];
  verify({ name: "wide", params: [], buffers: [], functions, kernels: [] });
  return functions;
}

/** Words of 64-bit values lie low word first. */
export type Words = Uint32Array | Int32Array | Float32Array | Uint8Array;
export type Run = (count: number, ...arrays: Words[]) => void;

/** Runs each operation over arrays: the operands', then the result's. */
export function compile<K extends string>(
  operations: Readonly<Record<K, Operation>>,
  emulation?: readonly Fn[],
): Readonly<Record<K, Run>> {
  const printer = new CFamily(DIALECT);
  const text = new Text();
  text.line("const floatView = new Float32Array(1), bitsView = new Uint32Array(floatView.buffer);");
  text.line("const bitsOf = (float) => ((floatView[0] = float), bitsView[0]);");
  text.line("const floatOf = (bits) => ((bitsView[0] = bits), floatView[0]);");
  text.line("let result$1 = 0, result$2 = 0, result$3 = 0;");
  for (const fn of functionsOf(operations, emulation))
    printer.fn(text, fn, `function ${fn.name}(${fn.params.map((p) => printer.name(p.name)).join(", ")}) {`);
  text.line("return {");
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const arrays = operation.from.map((_, i) => `x${i}`);
    const args = operation.from.flatMap((type, i) =>
      isWide(type) ? [`x${i}[2 * i]`, `x${i}[2 * i + 1]`] : [`x${i}[i]`],
    );
    const store = isWide(operation.to)
      ? `out[2 * i] = ${name}(${args}); out[2 * i + 1] = result$1;`
      : `out[i] = ${name}(${args});`;
    text.line(`${name}(count, ${[...arrays, "out"]}) { for (let i = 0; i < count; i++) { ${store} } },`);
  }
  text.line("};");
  return new Function(spellNames(text.toString(), isReserved))();
}

/** Xorshift: the same operands on every run. */
export function randomWords(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** Fails with the operands of the first result that is not the wanted one; NaN is NaN, -0 is not 0. */
export function expectSame(
  name: string,
  count: number,
  got: (i: number) => unknown,
  want: (i: number) => unknown,
  operands: (i: number) => unknown,
): void {
  for (let i = 0; i < count; i++) {
    const [x, y] = [got(i), want(i)];
    if (!Object.is(x, y)) expect.fail(`${name} of ${operands(i)} is ${x}, not ${y}`);
  }
}
