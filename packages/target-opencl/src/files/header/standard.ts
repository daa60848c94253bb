/** The standard names, and other functions of OpenCL C 2.0 that OpenCL C 1.2 lacks. */
import { QUIRKS } from "../../print/quirks.ts";
import { type HeaderNames, KINDS, type LibraryCalls, OPS } from "./names.ts";

/** A name that is undeclared unless the scratch is declared, so that the compiler's message names what is missing. */
const SCRATCH_NAME =
  "GROUPWISE_SCRATCH_must_be_declared_in_the_kernel_or_GROUPWISE_SCRATCH_PARAM_in_the_function";

/**
 * A copy whose address is taken: an argument by value that some work-items did not initialise is undefined behaviour, and
 * clang deduces the caller from it. The copy is of the type that the function by value would take. One name for any number
 * of coordinates needs a variadic macro, which not every compiler has.
 */
const broadcasts = ({ prefix, macro }: HeaderNames): readonly string[] => {
  const fixed = (...indexes: string[]): string =>
    `#define work_group_broadcast(x, ${indexes.join(", ")}) ${macro}BROADCAST(x, (&${prefix}copy_of_x, GROUPWISE_SCRATCH_ARG, ${indexes.map((i) => `(${i})`).join(", ")}))`;
  return [
    "",
    "// Broadcasts as macros: only one work-item reads x, which may be uninitialised in others.",
    `#ifdef ${macro}OVERLOADS`,
    `#define ${macro}BROADCAST(x, arguments) \\`,
    "  __extension__({ \\",
    '    _Static_assert(vec_step(+(x)) == 1, "broadcasts take scalars: call one for each component of a vector"); \\',
    `    __typeof__((${prefix}broadcast)((x), (__local void*)0, 0)) ${prefix}copy_of_x = (x); \\`,
    `    ${prefix}broadcast_from arguments; \\`,
    "  })",
    "// Compilers without variadic macros need to know how many coordinates the broadcasts take: 1, 2 or 3.",
    `#if ${QUIRKS.variadicMacro.value} && !defined(GROUPWISE_BROADCAST_COORDINATES)`,
    "#define GROUPWISE_BROADCAST_COORDINATES 1",
    "#endif",
    "#ifndef GROUPWISE_BROADCAST_COORDINATES",
    `#define ${prefix}broadcast(x, scratch, ...) ${macro}BROADCAST(x, (&${prefix}copy_of_x, (scratch), __VA_ARGS__))`,
    "#endif",
    "#ifndef GROUPWISE_NO_STANDARD_NAMES",
    "#ifndef GROUPWISE_BROADCAST_COORDINATES",
    `#define work_group_broadcast(x, ...) ${macro}BROADCAST(x, (&${prefix}copy_of_x, GROUPWISE_SCRATCH_ARG, __VA_ARGS__))`,
    "#elif GROUPWISE_BROADCAST_COORDINATES == 1",
    fixed("i"),
    "#elif GROUPWISE_BROADCAST_COORDINATES == 2",
    fixed("i", "j"),
    "#else",
    fixed("i", "j", "k"),
    "#endif",
    "#endif",
    "#endif",
  ];
};

/** `calls`: what the header holds for some type. */
export const standardNames = (names: HeaderNames, calls: LibraryCalls): readonly string[] => {
  const { prefix, macro } = names;
  const votes = ["all", "any"].filter((kind) => calls.includes(kind));
  return [
    ...(calls.includes("broadcast") ? broadcasts(names) : []),
    "",
    "// The standard names. Predicates of logical operators are ints, as the standard says.",
    `#if defined(${macro}OVERLOADS) && !defined(GROUPWISE_NO_STANDARD_NAMES)`,
    `#define GROUPWISE_SCRATCH_ARG ${SCRATCH_NAME}`,
    "#define GROUPWISE_SCRATCH_PARAM __local void* GROUPWISE_SCRATCH_ARG",
    "#ifdef GROUPWISE_DEBUG",
    "#define GROUPWISE_SCRATCH(size) \\",
    `  __local uint2 GROUPWISE_SCRATCH_ARG[${macro}SCRATCH(size)]; \\`,
    `  ${macro}CHECK_GROUP(size)`,
    "#else",
    `#define GROUPWISE_SCRATCH(size) __local uint2 GROUPWISE_SCRATCH_ARG[${macro}SCRATCH(size)]`,
    "#endif",
    ...KINDS.flatMap((kind) =>
      OPS.filter((op) => calls.includes(`${kind}_${op}`)).map((op) => {
        const type = op.startsWith("logical") ? "_int" : "";
        return `#define work_group_${kind}_${op}(x) ${prefix}${kind}_${op}${type}((x), GROUPWISE_SCRATCH_ARG)`;
      }),
    ),
    ...votes.map(
      (kind) => `#define work_group_${kind}(predicate) ${prefix}${kind}((predicate), GROUPWISE_SCRATCH_ARG)`,
    ),
    "#endif",
    "",
    "// Other functions of OpenCL C 2.0; in earlier versions all work-groups of a range have one size.",
    "#if __OPENCL_C_VERSION__ < 200 && !defined(get_local_linear_id)",
    `#define get_local_linear_id() ((size_t)${prefix}local_linear_id())`,
    "#define get_global_linear_id() \\",
    "  (((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) - get_global_offset(1)) * \\",
    "     get_global_size(0) + get_global_id(0) - get_global_offset(0))",
    "#define get_enqueued_local_size(dimension) get_local_size(dimension)",
    `#undef ${QUIRKS.renamedBarrier.value} // ${QUIRKS.renamedBarrier.who} renames by macros`,
    "#define work_group_barrier(flags) barrier(flags)",
    "#endif",
  ];
};
