/** The parts of a header around the library's functions: their requirements and overloads. */
import { headerFeatures, OPENCL_FEATURES } from "../../print/group-features.ts";
import { type HeaderNames, type LibraryCalls, withOp } from "./names.ts";

const lines = (text: string): readonly string[] => text.trim().split("\n");

const scratch = ({ macro }: HeaderNames, most: number): string => `
#define ${macro}MAX_WORK_GROUP_SIZE ${most}

// Elements of scratch for a work-group of at most \`size\` work-items; bytes of it for elements of a type.
#define ${macro}SCRATCH(size) (2 * (size))
#define ${macro}SCRATCH_BYTES(size, type) (${macro}SCRATCH(size) * sizeof(type))
`;

const requirements = ({ macro }: HeaderNames): string => `
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

// The device's own functions, if they are requested and guaranteed, and no macro has their names.
#if defined(GROUPWISE_NATIVE) && !defined(work_group_all)
${headerFeatures(macro)}
#endif
`;

const places = ({ prefix, macro }: HeaderNames): string => `
// The linear local id of the work-item, and the size of its work-group.
${macro}FN uint ${prefix}local_size(void) {
  return (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
}
${macro}FN uint ${prefix}local_linear_id(void) {
  return (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0));
}
// The linear local id of coordinates; coordinates outside the work-group are clamped.
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
`;

const sizeCheck = ({ prefix, macro }: HeaderNames): string => `
// In kernels, with GROUPWISE_DEBUG: a work-group of more than \`size\` work-items prints a message and returns.
#ifdef GROUPWISE_DEBUG
${macro}FN bool ${prefix}group_fits(const uint size) {
  const uint items = ${prefix}local_size();
  const uint most = min(size, (uint)${macro}MAX_WORK_GROUP_SIZE);
  if (items > most && ${prefix}local_linear_id() == 0)
    printf("groupwise: a work-group of %u work-items, with scratch for %u: nothing is computed\\n", items, most);
  return items <= most;
}
#define ${macro}CHECK_GROUP(size) \\
  do { \\
    if (!${prefix}group_fits(size)) return; \\
  } while (0)
#else
#define ${macro}CHECK_GROUP(size) (void)0
#endif
`;

const refusals = ({ macro }: HeaderNames): string => `
// Calls with a vector: the compiler's error names the reason.
#define ${macro}REFUSE_VECTORS(function, type)
#ifdef ${macro}OVERLOADS
#if __has_attribute(unavailable)
#undef ${macro}REFUSE_VECTORS
#define ${macro}REFUSED \\
  __attribute__((overloadable, unavailable("work-group functions take scalars: call one for each component of a vector")))
#define ${macro}REFUSE_VECTORS(function, type) \\
  type##2 function(type##2, __local void*) ${macro}REFUSED; \\
  type##3 function(type##3, __local void*) ${macro}REFUSED; \\
  type##4 function(type##4, __local void*) ${macro}REFUSED; \\
  type##8 function(type##8, __local void*) ${macro}REFUSED; \\
  type##16 function(type##16, __local void*) ${macro}REFUSED;
#endif
#endif
`;

/** Macros and functions that the library's functions use, and the requirements on the device. */
export const preamble = (names: HeaderNames, most: number): readonly string[] =>
  lines(
    [scratch(names, most), ...[requirements, places, sizeCheck, refusals].map((part) => part(names))].join(
      "",
    ),
  );

/** Functions on the bits of doubles, where the device has these. */
export function doubleBits(
  { prefix, macro }: HeaderNames,
  type: string,
  calls: LibraryCalls,
): readonly string[] {
  return calls.flatMap((call) => {
    const isBroadcast = call === "broadcast";
    const [param, arg] = isBroadcast ? [", const uint index", ", index"] : ["", ""];
    return lines(`
${macro}FN ulong ${prefix}${call}_${type}_bits(const ulong x, __local void* scratch${param}) {
  return as_ulong(${prefix}${call}_${type}(as_${type}(x), scratch${arg}));
}
`);
  });
}

/** `all` and `any` on ints, as the standard has them. */
export const votes = (
  { prefix, macro }: HeaderNames,
  _type: string,
  calls: LibraryCalls,
): readonly string[] =>
  calls.flatMap((kind) =>
    lines(`
${macro}FN int ${prefix}${kind}(const int predicate, __local void* scratch) {
#ifdef ${macro}${OPENCL_FEATURES["common-operators"].headerMacro}
  (void)scratch;
  return work_group_${kind}(predicate) != 0;
#else
  return ${prefix}${kind}_bool(predicate != 0, scratch) ? 1 : 0;
#endif
}
`),
  );

/** Overloads of a type's functions: those with an operator, and the broadcasts. */
export function overloads(names: HeaderNames, type: string, calls: LibraryCalls): string[] {
  const { prefix, macro } = names;
  return [
    `#ifdef ${macro}OVERLOADS`,
    ...withOp(calls).flatMap((call) => {
      const name = prefix + call;
      return [
        `${macro}OVERLOAD ${type} ${name}(const ${type} x, __local void* scratch) { return ${name}_${type}(x, scratch); }`,
        `${macro}REFUSE_VECTORS(${name}, ${type})`,
      ];
    }),
    ...(calls.includes("broadcast") ? broadcasts(names, type) : []),
    "#endif",
  ];
}

/** By value, and by an address that is read in the source alone. */
const broadcasts = ({ prefix, macro }: HeaderNames, type: string): readonly string[] =>
  [["i"], ["i", "j"], ["i", "j", "k"]].flatMap((coordinates) => {
    const params = coordinates.map((name) => `const size_t ${name}`).join(", ");
    const args = coordinates.join(", ");
    const native = coordinates.map((name, d) => `min(${name}, get_local_size(${d}) - 1)`).join(", ");
    const place = `${prefix}place${coordinates.length}(${args})`;
    return lines(`
${macro}OVERLOAD ${type} ${prefix}broadcast(const ${type} x, __local void* scratch, ${params}) {
#ifdef ${macro}${OPENCL_FEATURES["common-operators"].headerMacro}
  (void)scratch;
  return work_group_broadcast(x, ${native});
#else
  return ${prefix}broadcast_${type}(x, scratch, ${place});
#endif
}
${macro}OVERLOAD ${type} ${prefix}broadcast_from(__private const ${type}* x, __local void* scratch, ${params}) {
  return ${prefix}broadcast(${prefix}local_linear_id() == ${place} ? *x : 0, scratch, ${args});
}
`);
  });
