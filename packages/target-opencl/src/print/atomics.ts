/** Atomic loads and stores, which OpenCL C 1.2 lacks. */
import { type Module, type Stmt, statementsOf, type Text } from "@groupwise/core/kernel";

/** The function that loads a word which other work-items may change. */
export const LOAD = "load_atomic";

/** The function that loads a row of them. */
export const loadRowName = (width: number): string => `${LOAD}_${width}`;

/** The function that stores one. */
export const STORE = "store_atomic";

/** The functions for the atomic loads and stores of a module's kernels. */
export function printAtomics(text: Text, module: Module): void {
  const stmts = statementsOf(module);
  const functions: readonly [(stmt: Stmt) => boolean, () => void][] = [
    [({ kind }) => kind === "atomic-load", () => printWord(text, LOADED)],
    [(stmt) => stmt.kind === "atomic-load-row" && stmt.width === 2, () => printLoadRow(text, 2)],
    [(stmt) => stmt.kind === "atomic-load-row" && stmt.width === 4, () => printLoadRow(text, 4)],
    [({ kind }) => kind === "atomic-store", () => printWord(text, STORED)],
  ];
  for (const [isUsed, print] of functions) {
    if (!stmts.some(isUsed)) continue;
    text.line();
    print();
  }
}

/** A function on a word. */
interface Word {
  readonly head: string;
  /** For NVIDIA's compiler. */
  readonly plain: string;
  readonly atomic: string;
}

const ADDRESS = "volatile __global uint* const address";
/**
 * Atomic operations that change nothing, or ignore what they change, are loads and stores everywhere, but take turns with those of the same word. NVIDIA's
 * compiler makes `ld.volatile` and `st.volatile` of volatile accesses: atomic ones, relaxed (PTX ISA, 9.7.9.8 and 9.7.9.11).
 */
const LOADED: Word = {
  head: `uint ${LOAD}(${ADDRESS})`,
  plain: "return *address;",
  atomic: "return atomic_or(address, 0u);",
};
const STORED: Word = {
  head: `void ${STORE}(${ADDRESS}, const uint value)`,
  plain: "*address = value;",
  atomic: "atomic_xchg(address, value);",
};

function printWord(text: Text, { head, plain, atomic }: Word): void {
  text.block(`${head} {`, () => {
    text.bare("#ifdef __NV_CL_C_VERSION");
    text.line(`${plain} // relaxed and atomic`);
    text.bare("#else");
    text.line(atomic);
    text.bare("#endif");
  });
}

/**
 * A volatile load of a vector is one of each of its elements (PTX ISA, 8.2.2), in one instruction, which OpenCL C cannot state. With the predicate in it, lanes without a slot
 * do not branch.
 */
function printLoadRow(text: Text, width: 2 | 4): void {
  const words = (spell: (i: number) => string): string =>
    Array.from({ length: width }, (_, i) => spell(i)).join(", ");
  const loaded = `@p ld.volatile.global.v${width}.u32 {${words((i) => `%${i}`)}}, [%${width}];`;
  const outputs = words((i) => `"+r"(words.${"xyzw"[i]})`);
  text.line(
    "// Words that other work-items may change, each loaded atomically; zeros where the condition is false.",
  );
  text.block(`uint${width} ${loadRowName(width)}(${ADDRESS}, const bool condition) {`, () => {
    text.line(`uint${width} words = 0u;`);
    text.bare("#ifdef __NV_CL_C_VERSION");
    text.line(`asm volatile("{ .reg .pred p; setp.ne.u32 p, %${width + 1}, 0; ${loaded} }"`);
    text.line(`  : ${outputs} : "l"(address), "r"((uint)condition));`);
    text.bare("#else");
    const each = words((i) => `atomic_or(${i === 0 ? "address" : `address + ${i}`}, 0u)`);
    text.line(`if (condition) { words = (uint${width})(${each}); }`);
    text.bare("#endif");
    text.line("return words;");
  });
}
