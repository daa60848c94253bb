/**
 * Subgroup functions for NVIDIA's OpenCL C, which has none: a warp is a subgroup of 32 work-items, and inline PTX shuffles
 * within it (PTX ISA, 9.7.9.6: `shfl.sync`). Every work-item of a warp reaches a shuffle, as the verifier demands.
 */
import type { Scalar } from "@groupwise/core";
import { type Intrinsic, type Module, resultOf, statementsOf, type Text } from "@groupwise/core/kernel";
import { valueType } from "./spelling.ts";

/** Work-items of a warp. */
export const WARP = 32;

/** The compiler's own macro, and the functions that a later version may bring. */
const CONDITION = "defined(__NV_CL_C_VERSION) && !defined(cl_khr_subgroup_shuffle)";

interface Shuffle {
  readonly name: string;
  /** The mode of the instruction. */
  readonly mode: string;
  readonly operand: string;
}

const SHUFFLES: Readonly<Record<"shuffle-xor" | "shuffle", Shuffle>> = {
  "shuffle-xor": { name: "sub_group_shuffle_xor", mode: "bfly", operand: "mask" },
  shuffle: { name: "sub_group_shuffle", mode: "idx", operand: "source" },
};

/** How the value of a type goes through shuffles of words; those of u32 are the instruction itself. */
const BY_WORDS: Readonly<
  Record<Exclude<Scalar, "u32" | "bool">, (shuffled: (word: string) => string) => string>
> = {
  i32: (shuffled) => `as_int(${shuffled("as_uint(value)")})`,
  f32: (shuffled) => `as_float(${shuffled("as_uint(value)")})`,
  f16: (shuffled) => `as_half((ushort)${shuffled("(uint)as_ushort(value)")})`,
  i64: (shuffled) => `as_long(${pairOf(shuffled)})`,
  u64: (shuffled) => `as_ulong(${pairOf(shuffled)})`,
  f64: (shuffled) => `as_double(${pairOf(shuffled)})`,
};
const pairOf = (shuffled: (word: string) => string): string =>
  `(uint2)(${shuffled("as_uint2(value).x")}, ${shuffled("as_uint2(value).y")})`;

/** Functions of a subgroup that shuffle; reductions shuffle where there is no instruction. */
const BY_SHUFFLES: Readonly<Partial<Record<Intrinsic, keyof typeof SHUFFLES>>> = {
  "shuffle-xor": "shuffle-xor",
  shuffle: "shuffle",
  "reduce-lanes": "shuffle-xor",
};

/** The types of the values that a module's kernels shuffle, for each kind; truth values are words. */
function shuffledTypes(module: Module, kind: keyof typeof SHUFFLES): readonly Scalar[] {
  const types = statementsOf(module).flatMap((stmt) =>
    stmt.kind === "intrinsic" && BY_SHUFFLES[stmt.fn] === kind ? [resultOf(stmt)] : [],
  );
  return [...new Set(types.map((type) => (type === "bool" ? "u32" : type)))].sort();
}

const head = (type: Scalar, { name, operand }: Shuffle): string =>
  `${valueType(type)} __attribute__((overloadable)) ${name}(const ${valueType(type)} value, const uint ${operand}) {`;

function printShuffles(text: Text, shuffle: Shuffle, types: readonly Scalar[]): void {
  const { name, mode, operand } = shuffle;
  if (types.length === 0) return;
  text.block(head("u32", shuffle), () => {
    text.line("uint other;");
    text.line(
      `asm volatile("shfl.sync.${mode}.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(other) : "r"(value), "r"(${operand}));`,
    );
    text.line("return other;");
  });
  for (const type of types) {
    if (type === "u32") continue;
    const shuffled = (word: string): string => `${name}(${word}, ${operand})`;
    text.block(head(type, shuffle), () =>
      text.line(`return ${BY_WORDS[type as keyof typeof BY_WORDS](shuffled)};`),
    );
  }
}

/** Types by kind of shuffle. */
type Shuffled = Readonly<Partial<Record<keyof typeof SHUFFLES, readonly Scalar[]>>>;

/** The types of the values that a module's kernels shuffle. */
export const shuffledIn = (module: Module): Shuffled => ({
  "shuffle-xor": shuffledTypes(module, "shuffle-xor"),
  shuffle: shuffledTypes(module, "shuffle"),
});

/** Functions of a condition of the work-items of a warp (PTX ISA, 9.7.13.10: `vote.sync`). */
const VOTES: Readonly<Partial<Record<Intrinsic, readonly string[]>>> = {
  ballot: [
    "uint4 sub_group_ballot(const int predicate) {",
    "uint lanes;",
    `asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(lanes) : "r"(predicate));`,
    "return (uint4)(lanes, 0u, 0u, 0u);",
  ],
  "some-lane": [
    "int sub_group_any(const int predicate) {",
    "int any;",
    `asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.any.pred p, p, 0xffffffff; selp.s32 %0, 1, 0, p; }" : "=r"(any) : "r"(predicate));`,
    "return any;",
  ],
};

/** The votes of a module's kernels. */
export const votesIn = (module: Module): readonly Intrinsic[] => {
  const used = new Set(statementsOf(module).flatMap((stmt) => (stmt.kind === "intrinsic" ? [stmt.fn] : [])));
  return (Object.keys(VOTES) as Intrinsic[]).filter((fn) => used.has(fn));
};

/** Prints the functions for shuffles of such types, and votes. */
export function printWarps(text: Text, shuffled: Shuffled, votes: readonly Intrinsic[] = []): void {
  text.line("// NVIDIA's compiler has no subgroup functions: a warp is a subgroup of 32 work-items.");
  text.line(`#if ${CONDITION}`);
  text.line(`#define get_max_sub_group_size() ${WARP}u`);
  for (const [kind, shuffle] of Object.entries(SHUFFLES))
    printShuffles(text, shuffle, shuffled[kind as keyof typeof SHUFFLES] ?? []);
  for (const vote of votes) {
    const [title, ...lines] = VOTES[vote] as readonly string[];
    text.block(title as string, () => {
      for (const line of lines) text.line(line);
    });
  }
  text.line("#endif");
}
