/** Words that no name of an ES module may be. */
const WORDS: ReadonlySet<string> = new Set(
  [
    // what a strict module does not allow as a name
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends",
    "false finally for function if implements import in instanceof interface let new null package private protected",
    "public return static super switch this throw true try typeof var void while with yield",
    // constants of the language, which translators of the text read as such
    "undefined NaN Infinity",
  ].flatMap((line) => line.split(" ")),
);

/** Words that are not allowed as names. A name may hide a global that the text does not use. */
export const isReservedInModule = (word: string): boolean => WORDS.has(word);
