import { FUNCTIONS } from "@groupwise/core/kernel";

/** Words that cannot name a variable in a strict module, and globals that the emitted code uses. */
export const ESCAPED: ReadonlySet<string> = new Set(
  [
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends",
    "false finally for function if implements import in instanceof interface let new null package private protected",
    "public return static super switch this throw true try typeof var void while with yield async of get set",
    "undefined NaN Infinity globalThis Object Array Math Error TypeError RangeError ArrayBuffer",
    "Int32Array Uint32Array Float32Array Uint8Array Uint16Array Float64Array BigInt64Array BigUint64Array",
    // names of the module's own
    "kernel values options requireArray requireNumber floatView bitsView floatOf bitsOf",
    "doubleView wordsView lowWord doubleOf lowWordOf highWordOf wordsOf halfBits BigInt Number",
  ].flatMap((line) => line.split(" ")),
);

/** Names that a pipeline cannot use: the words, and functions that the text may define. */
export const RESERVED: ReadonlySet<string> = new Set([...ESCAPED, ...FUNCTIONS.map(({ name }) => name)]);
