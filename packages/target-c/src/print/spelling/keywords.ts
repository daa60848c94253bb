/**
 * Words of C that no name of the text may be: those of the grammar, and macros, which would be replaced in a name too.
 * Functions are not among them: a name may hide one, and where the text calls it, `spellNames` knows.
 */
const RESERVED: ReadonlySet<string> = new Set(
  [
    // C11, what C23 and compilers add, and the words of C++, which reads headers
    "auto break case char const continue default do double else enum extern float for goto if inline int long",
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while",
    "alignas alignof asm bool complex constexpr false imaginary noreturn nullptr static_assert thread_local true typeof",
    "and bitand bitor catch class compl concept consteval constinit decltype delete explicit export friend mutable",
    "namespace new noexcept not operator or private protected public reinterpret_cast requires template this throw try",
    "typeid typename using virtual wchar_t xor const_cast dynamic_cast static_cast co_await co_return co_yield",
    "and_eq not_eq or_eq xor_eq typeof_unqual fortran main",
    // macros in lower case: of compilers, of the library, and of Windows
    "unix linux i386 arm mips sparc sun vax hpux powerpc errno math_errhandling stdin stdout stderr",
    "near far small interface",
  ].flatMap((line) => line.split(" ")),
);

/** `size_t`; `INT_MAX`, `M_PI`, `I`; `PRIdFAST32` of <inttypes.h>; `L_tmpnam` of <stdio.h>. */
const SHAPES = /^(?:\w+_t|[A-Z][A-Z0-9_]*|(?:PRI|SCN|[LP]_)\w+)$/;

/** Whether a name of the text cannot be the word. */
export const isReserved = (word: string): boolean => RESERVED.has(word) || SHAPES.test(word);
