/** The comment at the head of a header: what there is, and how to use it. */
import { commentText } from "@groupwise/core/kernel";
import type { HeaderNames } from "./names.ts";

const lines = (text: string): readonly string[] => text.trim().split("\n");

/** `functions`: those of a header that holds some; undefined where it holds all. */
export const guide = (
  { prefix, macro }: HeaderNames,
  generator: string,
  command: string,
  functions: readonly string[] | undefined,
): readonly string[] =>
  lines(`
// The work-group functions of OpenCL C for devices of any version, from 1.2 on. Made by ${generator};
// do not edit; make it again with
//   ${commentText(command)}
//
${functions ? some(functions) : all(prefix)}
// They are overloaded where the compiler is built on clang, as those of NVIDIA, PoCL, Intel and Mesa are; any
// compiler has them with the type behind the name: ${prefix}reduce_add_int (x, scratch). They take scalars: call one for
// each component of a vector.
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
//   ${macro}CHECK_GROUP(256); // with -DGROUPWISE_DEBUG: a larger group is told on stdout and does nothing
// One scratch serves any number of calls, of any type not larger than it was made for. Before it is used for
// something else, put a barrier.
//
// Every work-item passes an initialised value: an uninitialised argument of a function is undefined behaviour, and
// compilers make use of that. A broadcast reads the value of one work-item, so those of others may be uninitialised in
//   int first;
//   if (get_local_id(0) == 0) first = atomic_add(counter, n);
//   first = work_group_broadcast(first, 0); // a macro: reads \`first\` in work-item 0 alone
// and in ${prefix}broadcast where the compiler has variadic macros (NVIDIA's has them in OpenCL C 3.0), or by address
// in ${prefix}broadcast_from(&first, scratch, 0). ${prefix}broadcast_int and its like are functions: initialise what they take.
//
// Floats are added and multiplied in a fixed order, so that a result is the same on every device; min and max
// are IEEE 754's minimum and maximum: a NaN wins, and -0 is less than +0. Exclusive scans start with the
// identity, for min and max of floats +INFINITY and -INFINITY. Integers wrap. Do not build with
// -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
//
// The standard names (work_group_reduce_add and so on) stand for these functions too, and kernels written for
// OpenCL 2.0 run everywhere when they get one line for the scratch:
//   GROUPWISE_SCRATCH(256); // among the kernel's variables; 256: its largest work-group
// A function that calls them takes the scratch as its last argument. Before:
//   int place(int keep) { return work_group_scan_exclusive_add(keep); }
//   kernel void k(...) { ... place(keep) ... }
// after:
//   int place(int keep, GROUPWISE_SCRATCH_PARAM) { return work_group_scan_exclusive_add(keep); }
//   kernel void k(...) { GROUPWISE_SCRATCH(256); ... place(keep, GROUPWISE_SCRATCH_ARG) ... }
//
// Define before this file is included:
//   GROUPWISE_NO_STANDARD_NAMES to leave the standard names alone
//   GROUPWISE_DEBUG to compare the group's size with GROUPWISE_SCRATCH in each kernel: a group that is larger, whose
//     work-items would write past the scratch, is told by printf and leaves the kernel at once
//   GROUPWISE_NATIVE to let integers, all, any and broadcast use the device's own functions where it
//     promises them; floats never do, for their order and their special values
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
