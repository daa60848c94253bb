/**
 * Words of OpenCL C that no name of the text may be: those of the grammar, those that compilers may hold as types, and
 * macros, which would be replaced in a name too. Functions are not among them: a name may hide one, and where the text
 * calls it, `spellNames` knows.
 */

const words = (...lines: readonly string[]): string[] => lines.flatMap((line) => line.split(" "));

const SCALAR_TYPES = words("bool char uchar short ushort int uint long ulong half float double quad");
const WIDTHS = ["", "2", "3", "4", "8", "16"];

const RESERVED: ReadonlySet<string> = new Set([
  // C99, what OpenCL adds, and the words of C11 and C++ that compilers know here too
  ...words(
    "auto break case char const continue default do double else enum extern float for goto if inline int long",
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while",
    "kernel global local constant private generic uniform pipe read_only write_only read_write",
    "complex imaginary vec_step addrspace_cast asm typeof true false nullptr",
    "alignas alignof catch class concept const_cast consteval constexpr constinit co_await co_return co_yield decltype",
    "delete dynamic_cast explicit export friend mutable namespace new noexcept operator protected public",
    "reinterpret_cast requires static_assert static_cast template this thread_local throw try typeid typename using",
    "virtual",
  ),
  ...SCALAR_TYPES.flatMap((type) => WIDTHS.map((width) => type + width)),
  // macros of compilers in lower case
  ...words("unix linux i386 arm mips sparc sun vax hpux powerpc kernel_exec main"),
]);

/** `size_t`, `image2d_t`, `atomic_int`; `cl_khr_fp64`, `cles_khr_int64`, `CLK_FILTER_LINEAR`; `INFINITY`, `M_PI_F`. */
const SHAPES = /^(?:\w+_t|atomic_\w+|memory_\w+|(?:cl|cles|CL|CLK)_\w+|[A-Z][A-Z0-9_]*)$/;

/** Whether a name of the text cannot be the word. */
export const isReserved = (word: string): boolean => RESERVED.has(word) || SHAPES.test(word);
