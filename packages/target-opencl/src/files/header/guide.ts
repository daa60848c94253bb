/** The comment at the head of a header: its functions, and how to use them. */
import { commentText } from "@groupwise/core/kernel";
import type { HeaderNames } from "./names.ts";

const lines = (text: string): readonly string[] => text.trim().split("\n");

/** `functions`: the names, if the header has only some functions; undefined if it has all. */
export const guide = (
  { prefix, macro }: HeaderNames,
  generator: string,
  command: string,
  functions: readonly string[] | undefined,
): readonly string[] =>
  lines(`
// The work-group functions of OpenCL C for devices of OpenCL 1.2 and newer. Made by ${generator};
// do not edit; regenerate it with
//   ${commentText(command)}
//
${functions ? some(functions) : all(prefix)}
// They are overloaded if the compiler is built on clang, as those of NVIDIA, PoCL, Intel and Mesa are. Functions with
// the type in the name, such as ${prefix}reduce_add_int (x, scratch), exist for all compilers. They take scalars: call
// one for each component of a vector.
//
// Halves and doubles work on every device, with the same bits if it lacks the type:
//   ${prefix}reduce_add_half takes and returns a float that holds a half, also on devices with half; any other float is
//     first rounded to the nearest half, ties to even. Its scratch is of float.
//       vstore_half_rte(${prefix}reduce_add_half(vload_half(i, x), scratch), i, y);
//   ${prefix}reduce_add_double_bits takes and returns the bits of a double in a ulong. Its scratch is of ulong.
//     ${prefix}reduce_add_double also exists if the device has double.
// Overloads and standard names are for the types that the device has: they treat a float that holds a half as a float.
//
// All work-items of the work-group must reach a call. Work-groups have 1, 2 or 3 dimensions and any size up to
// ${macro}MAX_WORK_GROUP_SIZE, also smaller ones at the end of a range; the order is
// (z * size(1) + y) * size(0) + x. The scratch is work-group memory that the kernel declares:
//   __local float scratch[${macro}SCRATCH(256)]; // for a work-group of at most 256
//   ${macro}CHECK_GROUP(256); // with -DGROUPWISE_DEBUG: a larger work-group prints a message and returns
// One scratch serves any number of calls, for any type not larger than its own. Put a barrier before any other
// use of it.
//
// Every work-item must pass an initialised value: an uninitialised argument of a function is undefined behaviour, and
// compilers exploit that. A broadcast reads the value of one work-item, so those of others may be uninitialised in
//   int first;
//   if (get_local_id(0) == 0) first = atomic_add(counter, n);
//   first = work_group_broadcast(first, 0); // a macro: reads \`first\` only in work-item 0
// and in ${prefix}broadcast if the compiler has variadic macros (NVIDIA's has them in OpenCL C 3.0), or by address
// in ${prefix}broadcast_from(&first, scratch, 0). ${prefix}broadcast_int and similar names are functions: initialise their arguments.
//
// Floats are added and multiplied in a fixed order, so that a result is the same on every device; min and max
// are IEEE 754's minimum and maximum: NaN if an operand is NaN, and -0 is less than +0. Exclusive scans start with the
// identity, for min and max of floats +INFINITY and -INFINITY. Integers wrap. Do not build with
// -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
//
// The standard names (work_group_reduce_add and so on) call these functions too. Kernels written for
// OpenCL 2.0 run everywhere if one line declares the scratch:
//   GROUPWISE_SCRATCH(256); // in the kernel; 256: the size of its largest work-group
// A function that calls them takes the scratch as its last argument. Before:
//   int place(int keep) { return work_group_scan_exclusive_add(keep); }
//   kernel void k(...) { ... place(keep) ... }
// after:
//   int place(int keep, GROUPWISE_SCRATCH_PARAM) { return work_group_scan_exclusive_add(keep); }
//   kernel void k(...) { GROUPWISE_SCRATCH(256); ... place(keep, GROUPWISE_SCRATCH_ARG) ... }
//
// Define before this file is included:
//   GROUPWISE_NO_STANDARD_NAMES to leave the standard names undefined
//   GROUPWISE_DEBUG to compare the size of the work-group with GROUPWISE_SCRATCH in each kernel: a larger work-group,
//     which would write past the scratch, prints a message and returns from the kernel
//   GROUPWISE_NATIVE to use the device's own functions for integers, all, any and broadcast if it
//     guarantees them; floats never use them because of their order and special values
`);

const all = (prefix: string): string => `// Functions, for int, uint, long, ulong, half, float and double:
//   ${prefix}reduce_OP, ${prefix}scan_inclusive_OP, ${prefix}scan_exclusive_OP (x, scratch)
//     OP: add mul min max; for integers also and or xor logical_and logical_or logical_xor
//   ${prefix}broadcast (x, scratch, i [, j [, k]]): the x of the work-item at these coordinates
//   ${prefix}all, ${prefix}any (predicate, scratch): 0 or 1`;

const some = (functions: readonly string[]): string =>
  ["// Functions, each (x, scratch); a broadcast (x, scratch, i [, j [, k]]):"]
    .concat(functions.map((name) => `//   ${name}`))
    .join("\n");
