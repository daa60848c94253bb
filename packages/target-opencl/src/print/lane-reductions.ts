/**
 * Functions that combine the values of 32 work-items of a subgroup. NVIDIA's devices of compute capability 8.0 or higher have an instruction
 * for it (PTX ISA, `redux.sync`); the compiler does not say which device it compiles for, so the build options do. Others shuffle.
 */
import type { Scalar } from "@groupwise/core";
import { type AtomicOp, type Module, resultOf, statementsOf, type Text } from "@groupwise/core/kernel";

/** The macro that build options define for such devices, and the major number of their compute capability. */
export const REDUX = { macro: "GROUPWISE_REDUX", option: "-DGROUPWISE_REDUX", since: 8 } as const;

/** A reduction of a module. */
interface Reduction {
  readonly op: AtomicOp;
  readonly type: Scalar;
}

const TITLES: Readonly<Record<AtomicOp, string>> = {
  add: "sum",
  min: "least",
  max: "greatest",
  and: "conjunction of the bits",
  or: "disjunction of the bits",
  xor: "exclusive disjunction of the bits",
};

const COMBINED: Readonly<Record<AtomicOp, (a: string, b: string) => string>> = {
  add: (a, b) => `${a} + ${b}`,
  min: (a, b) => `min(${a}, ${b})`,
  max: (a, b) => `max(${a}, ${b})`,
  and: (a, b) => `${a} & ${b}`,
  or: (a, b) => `${a} | ${b}`,
  xor: (a, b) => `${a} ^ ${b}`,
};
const IS_BITWISE: ReadonlySet<AtomicOp> = new Set(["and", "or", "xor"]);

const typeName = (type: Scalar): string => (type === "i32" ? "int" : "uint");
/** The name of the function: `reduce_32_add_uint`. */
export const reduceName = (op: AtomicOp, type: Scalar): string => `reduce_32_${op}_${typeName(type)}`;

/** The reductions of a module's kernels. */
export function reductionsIn(module: Module): readonly Reduction[] {
  const found = new Map<string, Reduction>();
  for (const stmt of statementsOf(module))
    if (stmt.kind === "intrinsic" && stmt.op) {
      const { op } = stmt;
      const type = resultOf(stmt);
      found.set(reduceName(op, type), { op, type });
    }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, reduction]) => reduction);
}

function byInstruction(text: Text, { op, type }: Reduction): void {
  const form = IS_BITWISE.has(op) ? "b32" : type === "i32" ? "s32" : "u32";
  text.line(`${typeName(type)} reduced;`);
  text.line(`asm volatile("redux.sync.${op}.${form} %0, %1, 0xffffffff;" : "=r"(reduced) : "r"(value));`);
}

function byShuffles(text: Text, { op, type }: Reduction): void {
  const both = COMBINED[op]("reduced", "sub_group_shuffle_xor(reduced, bit)");
  text.line(`${typeName(type)} reduced = value;`);
  text.line(`for (uint bit = 1u; bit < 32u; bit <<= 1u) { reduced = ${both}; }`);
}

/** Prints the functions. */
export function printReductions(text: Text, reductions: readonly Reduction[]): void {
  for (const reduction of reductions) {
    const { op, type } = reduction;
    text.line();
    text.line(`// The ${TITLES[op]} of 32 work-items, in each of them.`);
    text.block(`${typeName(type)} ${reduceName(op, type)}(const ${typeName(type)} value) {`, () => {
      text.bare(`#ifdef ${REDUX.macro}`);
      byInstruction(text, reduction);
      text.bare("#else");
      byShuffles(text, reduction);
      text.bare("#endif");
      text.line("return reduced;");
    });
  }
}
