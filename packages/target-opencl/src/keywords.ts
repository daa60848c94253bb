/** Words of OpenCL C that names must keep away from. */
import { OP_NAMES } from "@groupwise/core";
import { FUNCTIONS } from "@groupwise/core/kernel";

const words = (...lines: readonly string[]): string[] => lines.flatMap((line) => line.split(" "));

const SCALAR_TYPES = words("char uchar short ushort int uint long ulong half float double");
const WIDTHS = ["", "2", "3", "4", "8", "16"];

/** What the language, or a header that compilers include by themselves, keeps for itself. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  // C99, and the words of C11 and C++ that compilers know here too
  ...words(
    "auto break case char const continue default do double else enum extern float for goto if inline int long",
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while",
    "bool true false asm typeof class private public protected namespace template this new delete operator",
    "kernel global local constant generic uniform pipe read_only write_only read_write complex imaginary",
    "vec_step main NULL",
  ),
  ...SCALAR_TYPES.flatMap((type) => WIDTHS.map((width) => type + width)),
  ...words("quad quad2 quad3 quad4 quad8 quad16 size_t ptrdiff_t intptr_t uintptr_t"),
  ...words("image1d_t image1d_array_t image1d_buffer_t image2d_t image2d_array_t image2d_depth_t"),
  ...words("image2d_array_depth_t image3d_t sampler_t event_t queue_t ndrange_t clk_event_t reserve_id_t"),
  ...words(
    "atomic_int atomic_uint atomic_long atomic_ulong atomic_float atomic_double atomic_flag memory_order",
  ),
  ...words("memory_scope cl_mem_fence_flags clk_profiling_info kernel_enqueue_flags_t"),
  // macros of the standard headers: a name like them would be replaced
  ...words("INFINITY NAN MAXFLOAT HUGE_VAL HUGE_VALF M_E M_PI M_E_F M_PI_F FLT_MAX FLT_MIN FLT_EPSILON"),
  ...words("FLT_DIG FLT_MANT_DIG FLT_RADIX INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN ULONG_MAX CHAR_BIT"),
  ...words("CHAR_MAX CHAR_MIN SCHAR_MAX SCHAR_MIN SHRT_MAX SHRT_MIN UCHAR_MAX USHRT_MAX"),
  ...words("GROUPWISE_COLLECTIVES GROUPWISE_UNIFORM_ARITHMETIC GROUPWISE_PORTABLE"),
  ...words("CLK_LOCAL_MEM_FENCE CLK_GLOBAL_MEM_FENCE FP_CONTRACT FP_FAST_FMA FP_FAST_FMAF unix linux"),
]);

/**
 * Functions that emitted code calls. A variable may hide them, so a name like these gets an underscore in
 * the text; hosts set arguments by position, and see no difference.
 */
export const CALLED: ReadonlySet<string> = new Set([
  ...words(
    "atomic_add atomic_and atomic_max atomic_min atomic_or atomic_xor",
    "defined abs fabs min max popcount clz barrier get_group_id get_local_id as_int as_uint as_float",
  ),
  ...words("convert_float convert_int_sat convert_uint_sat sign half"),
  ...words("get_max_sub_group_size sub_group_shuffle_xor work_group_any work_group_broadcast"),
  ...["reduce", "scan_inclusive", "scan_exclusive"].flatMap((kind) =>
    OP_NAMES.map((op) => `work_group_${kind}_${op.replace("-", "_")}`),
  ),
  ...words("as_long as_ulong as_double as_half as_ushort as_uint2 vload_half vstore_half_rte"),
  ...words("convert_double convert_half convert_long_sat convert_ulong_sat"),
]);

/** Names that get an underscore in the text; no name of a pipeline ends in one. */
export const ESCAPED: ReadonlySet<string> = new Set([...KEYWORDS, ...CALLED]);

/** Names that a pipeline cannot use: the words, and functions that the text defines. */
export const RESERVED: ReadonlySet<string> = new Set([...KEYWORDS, ...FUNCTIONS.map((fn) => fn.name)]);
