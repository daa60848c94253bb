/**
 * Words of CUDA C++ and HIP that no name of the text may be: those of the grammar, the variables of kernels, and macros, which would be replaced in a
 * name too. Functions are not among them: a name may hide one, and where the text calls it, `spellNames` knows.
 */
const RESERVED: ReadonlySet<string> = new Set(
  [
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl",
    "concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete",
    "do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable",
    "namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast",
    "requires return restrict short signed sizeof static static_assert static_cast struct switch template this",
    "thread_local throw true try typedef typeid typename typeof union unsigned using virtual void volatile wchar_t while",
    "xor xor_eq final override import module main",
    "threadIdx blockIdx blockDim gridDim warpSize",
    // macros in lower case: of compilers, of the library, and of Windows
    "unix linux i386 arm mips sparc sun vax hpux powerpc errno math_errhandling stdin stdout stderr assert",
    "near far small interface major minor makedev signbit isnan isinf isfinite isnormal",
  ].flatMap((line) => line.split(" ")),
);

/** `size_t`; `INT_MAX`, `M_PI`, `I`; `cudaSuccess`, `hipSuccess`; vector types: `float4`, `uchar2`. */
const SHAPES =
  /^(?:\w+_t|[A-Z][A-Z0-9_]*|(?:cuda|hip)[A-Z]\w*|u?(?:char|short|int|long|longlong|float|double)[1-4])$/;

/** Whether a name of the text cannot be the word. */
export const isReserved = (word: string): boolean => RESERVED.has(word) || SHAPES.test(word);
