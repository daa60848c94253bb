/** What a header holds beside the library's functions: its guide, what devices lack, and the standard names. */
import { OP_NAMES } from "@groupwise/core";
import { commentText } from "@groupwise/core/kernel";

const lines = (text: string): readonly string[] => text.trim().split("\n");

/** The names of one header: `gw_` and `GW_`. */
export interface HeaderNames {
  readonly prefix: string;
  readonly macro: string;
}

const KINDS = ["reduce", "scan_inclusive", "scan_exclusive"] as const;
const OPS = OP_NAMES.map((op) => op.replaceAll("-", "_"));

export const guide = (
  { prefix, macro }: HeaderNames,
  generator: string,
  command: string,
): readonly string[] =>
  lines(`
// The work-group functions of OpenCL C for devices of any version, from 1.2 on. Made by ${generator};
// do not edit; make it again with
//   ${commentText(command)}
//
// Functions, for int, uint, long, ulong, half, float and double:
//   ${prefix}reduce_OP, ${prefix}scan_inclusive_OP, ${prefix}scan_exclusive_OP (x, scratch)
//     OP: add mul min max; for integers also and or xor logical_and logical_or logical_xor
//   ${prefix}broadcast (x, scratch, i [, j [, k]]): the x of the work-item at these coordinates
//   ${prefix}all, ${prefix}any (predicate, scratch): 0 or 1
// They are overloaded where the compiler is built on clang, as those of NVIDIA, PoCL, Intel and Mesa are; any
// compiler has them with the type behind the name: ${prefix}reduce_add_int (x, scratch).
//
// Halves and doubles are combined on every device, to the same bits where it lacks the type:
//   ${prefix}reduce_add_half takes and gives a float that holds a half, on devices with half too; another float is
//     rounded to the nearest half first, ties to even. Its scratch is of float.
//       vstore_half_rte(${prefix}reduce_add_half(vload_half(i, x), scratch), i, y);
//   ${prefix}reduce_add_double_bits takes and gives the bits of a double in a ulong. Its scratch is of ulong.
//     ${prefix}reduce_add_double is there as well where the device has double.
// Overloads and standard names are for the types that the device has: to them a float that holds a half is a float.
//
// All work-items of the group must come to a call. Work-groups have 1, 2 or 3 dimensions and any size up to
// ${macro}MAX_WORK_GROUP_SIZE, also smaller ones at the end of a range; the order is
// (z * size(1) + y) * size(0) + x. The scratch is work-group memory that the kernel gives:
//   __local float scratch[${macro}SCRATCH(256)]; // for a group of at most 256
// One scratch serves any number of calls, of any type not larger than it was made for. Before it is used for
// something else, put a barrier.
//
// Floats are added and multiplied in a fixed order, so that a result is the same on every device; min and max
// are IEEE 754's minimum and maximum: a NaN wins, and -0 is less than +0. Exclusive scans start with the
// identity, for min and max of floats +INFINITY and -INFINITY. Integers wrap. Do not build with
// -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
//
// The standard names (work_group_reduce_add and so on) stand for these functions too, and kernels written for
// OpenCL 2.0 run everywhere when they get one line for the scratch:
//   GROUPWISE_SCRATCH(256); // among the kernel's variables; 256: its largest work-group
// A function that a kernel calls takes it as an argument: GROUPWISE_SCRATCH_PARAM, and is given
// GROUPWISE_SCRATCH_ARG. Define before this file is included:
//   GROUPWISE_NO_STANDARD_NAMES to leave the standard names alone
//   GROUPWISE_NATIVE to let integers, all, any and broadcast use the device's own functions where it
//     promises them; floats never do, for their order and their special values
`);

export const preamble = ({ prefix, macro }: HeaderNames, most: number): readonly string[] =>
  lines(`
#define ${macro}MAX_WORK_GROUP_SIZE ${most}

// Elements of scratch for a work-group of at most \`size\`; bytes of it for elements of a type.
#define ${macro}SCRATCH(size) (2 * (size))
#define ${macro}SCRATCH_BYTES(size, type) (${macro}SCRATCH(size) * sizeof(type))

#if defined(__has_attribute)
#if __has_attribute(overloadable)
#define ${macro}OVERLOADS 1
#endif
#endif
#define ${macro}FN static inline __attribute__((always_inline, unused))
#define ${macro}OVERLOAD static inline __attribute__((always_inline, unused, overloadable))

#if !defined(__EMBEDDED_PROFILE__) || defined(cles_khr_int64) || defined(__opencl_c_int64)
#define ${macro}HAS_LONG 1
#endif
#if defined(cl_khr_fp16)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define ${macro}HAS_HALF 1
#endif
#if defined(cl_khr_fp64) || defined(__opencl_c_fp64)
#define ${macro}HAS_DOUBLE 1
#endif

// The device's own functions, where they are asked for and promised, and no macro has their names yet.
#if defined(GROUPWISE_NATIVE) && !defined(work_group_all)
#if defined(__opencl_c_work_group_collective_functions) || \\
    (__OPENCL_C_VERSION__ >= 200 && __OPENCL_C_VERSION__ < 300)
#define ${macro}NATIVE_COLLECTIVES 1
#endif
#if defined(cl_khr_work_group_uniform_arithmetic)
#pragma OPENCL EXTENSION cl_khr_work_group_uniform_arithmetic : enable
#define ${macro}NATIVE_ARITHMETIC 1
#endif
#endif

// Where the work-item stands in its group, and how many there are.
${macro}FN uint ${prefix}local_size(void) {
  return (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
}
${macro}FN uint ${prefix}local_linear_id(void) {
  return (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0));
}
// The linear place of coordinates in the group; outside of it the last ones count.
${macro}FN uint ${prefix}place1(const size_t i) {
  return (uint)min(i, (size_t)${prefix}local_size() - 1);
}
${macro}FN uint ${prefix}place3(const size_t i, const size_t j, const size_t k) {
  const size_t x = min(i, get_local_size(0) - 1);
  const size_t y = min(j, get_local_size(1) - 1);
  const size_t z = min(k, get_local_size(2) - 1);
  return (uint)((z * get_local_size(1) + y) * get_local_size(0) + x);
}
${macro}FN uint ${prefix}place2(const size_t i, const size_t j) { return ${prefix}place3(i, j, 0); }
`);

/** Functions on the bits of doubles, where the device has these. */
export function doubleBits(
  { prefix, macro }: HeaderNames,
  type: string,
  ops: readonly string[],
): readonly string[] {
  const calls = KINDS.flatMap((kind) => ops.map((op) => `${prefix}${kind}_${op}`));
  const wrapper = (name: string, param: string, arg: string): readonly string[] =>
    lines(`
${macro}FN ulong ${name}_${type}_bits(const ulong x, __local void* scratch${param}) {
  return as_ulong(${name}_${type}(as_${type}(x), scratch${arg}));
}
`);
  return [
    ...calls.flatMap((name) => wrapper(name, "", "")),
    ...wrapper(`${prefix}broadcast`, ", const uint index", ", index"),
  ];
}

/** `all` and `any` on ints, as the standard has them. */
export const votes = ({ prefix, macro }: HeaderNames): readonly string[] =>
  (["all", "any"] as const).flatMap((kind) =>
    lines(`
${macro}FN int ${prefix}${kind}(const int predicate, __local void* scratch) {
#ifdef ${macro}NATIVE_COLLECTIVES
  (void)scratch;
  return work_group_${kind}(predicate) != 0;
#else
  return ${prefix}${kind}_bool(predicate != 0, scratch) ? 1 : 0;
#endif
}
`),
  );

/** Overloads of a type's functions: those with an operator, and the broadcasts. */
export function overloads({ prefix, macro }: HeaderNames, type: string, ops: readonly string[]): string[] {
  const calls = KINDS.flatMap((kind) => ops.map((op) => `${prefix}${kind}_${op}`));
  const broadcast = (coordinates: readonly string[]): readonly string[] => {
    const list = coordinates.map((name) => `const size_t ${name}`).join(", ");
    const clamped = coordinates.length === 1 ? ["i"] : coordinates;
    const native = clamped.map((name, d) => `min(${name}, get_local_size(${d}) - 1)`).join(", ");
    return lines(`
${macro}OVERLOAD ${type} ${prefix}broadcast(const ${type} x, __local void* scratch, ${list}) {
#ifdef ${macro}NATIVE_COLLECTIVES
  (void)scratch;
  return work_group_broadcast(x, ${native});
#else
  return ${prefix}broadcast_${type}(x, scratch, ${prefix}place${coordinates.length}(${coordinates.join(", ")}));
#endif
}
`);
  };
  return [
    `#ifdef ${macro}OVERLOADS`,
    ...calls.map(
      (name) =>
        `${macro}OVERLOAD ${type} ${name}(const ${type} x, __local void* scratch) { return ${name}_${type}(x, scratch); }`,
    ),
    ...broadcast(["i"]),
    ...broadcast(["i", "j"]),
    ...broadcast(["i", "j", "k"]),
    "#endif",
  ];
}

/** One name for any number of coordinates needs a variadic macro; NVIDIA's compiler (580) refuses such. */
const broadcastNames = (prefix: string): readonly string[] => {
  const fixed = (...indexes: string[]): string =>
    `#define work_group_broadcast(x, ${indexes.join(", ")}) ${prefix}broadcast((x), groupwise_scratch, ${indexes.map((i) => `(${i})`).join(", ")})`;
  return [
    "// Compilers without variadic macros need to know how many coordinates the broadcasts take: 1, 2 or 3.",
    "#if defined(__NV_CL_C_VERSION) && !defined(GROUPWISE_BROADCAST_COORDINATES)",
    "#define GROUPWISE_BROADCAST_COORDINATES 1",
    "#endif",
    "#ifndef GROUPWISE_BROADCAST_COORDINATES",
    `#define work_group_broadcast(x, ...) ${prefix}broadcast((x), groupwise_scratch, __VA_ARGS__)`,
    "#elif GROUPWISE_BROADCAST_COORDINATES == 1",
    fixed("i"),
    "#elif GROUPWISE_BROADCAST_COORDINATES == 2",
    fixed("i", "j"),
    "#else",
    fixed("i", "j", "k"),
    "#endif",
  ];
};

/** The standard's own names, and what else kernels for OpenCL C 2.0 call that OpenCL C 1.2 lacks. */
export const standardNames = ({ prefix, macro }: HeaderNames): readonly string[] => [
  "",
  "// The standard names. Predicates of logical operators are ints, as the standard says.",
  `#if defined(${macro}OVERLOADS) && !defined(GROUPWISE_NO_STANDARD_NAMES)`,
  `#define GROUPWISE_SCRATCH(size) __local uint2 groupwise_scratch[${macro}SCRATCH(size)]`,
  "#define GROUPWISE_SCRATCH_PARAM __local void* groupwise_scratch",
  "#define GROUPWISE_SCRATCH_ARG groupwise_scratch",
  ...KINDS.flatMap((kind) =>
    OPS.map((op) => {
      const type = op.startsWith("logical") ? "_int" : "";
      return `#define work_group_${kind}_${op}(x) ${prefix}${kind}_${op}${type}((x), groupwise_scratch)`;
    }),
  ),
  `#define work_group_all(predicate) ${prefix}all((predicate), groupwise_scratch)`,
  `#define work_group_any(predicate) ${prefix}any((predicate), groupwise_scratch)`,
  ...broadcastNames(prefix),
  "#endif",
  "",
  "// What else came with OpenCL C 2.0; before it, all work-groups of a range have one size.",
  "#if __OPENCL_C_VERSION__ < 200 && !defined(get_local_linear_id)",
  `#define get_local_linear_id() ((size_t)${prefix}local_linear_id())`,
  "#define get_global_linear_id() \\",
  "  (((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) - get_global_offset(1)) * \\",
  "     get_global_size(0) + get_global_id(0) - get_global_offset(0))",
  "#define get_enqueued_local_size(dimension) get_local_size(dimension)",
  "#undef work_group_barrier // PoCL renames by macros",
  "#define work_group_barrier(flags) barrier(flags)",
  "#endif",
];
