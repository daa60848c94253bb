/** What a flag of the command line is: the rows of `tables.ts`, from which parsing, types, help, completion and written commands are made. */

/** The values of a flag, by what it takes. */
interface Kinds {
  readonly text: string;
  /** A whole number from 0. */
  readonly whole: number;
  /** A whole number from 1. */
  readonly positive: number;
  /** A number for each dimension, at most three. */
  readonly sides: readonly number[];
  /** Texts: the flag is repeatable. */
  readonly list: readonly string[];
  readonly switch: boolean;
  /** True unless `--no-NAME` is passed. */
  readonly negated: boolean;
}

type Kind = keyof Kinds;

/** A flag. Its name is that of its row: `partBytes` is `--part-bytes`. */
export interface Flag {
  /** What it takes, and what stands for the value in help and says how shells complete it; in brackets if it is optional. */
  readonly is: Kind | `${Kind} <${string}>` | `${Kind} [${string}]`;
  readonly about: string;
  /** The values that it takes, if they are few. */
  readonly choices?: readonly string[];
  /** Its value where it is not passed. */
  readonly initial?: string | number;
}
/** Flags by name. */
export type FlagTable = Readonly<Record<string, Flag>>;

type ValueOf<F> = F extends { readonly choices: readonly (infer C)[] }
  ? C
  : F extends { readonly is: `${infer K extends Kind} [${string}` }
    ? Kinds[K] | true
    : F extends { readonly is: `${infer K extends Kind} <${string}` | (infer K extends Kind) }
      ? Kinds[K]
      : never;
/** The flags that always have a value. */
type Always<T> = {
  [K in keyof T]: T[K] extends { readonly initial: unknown } | { readonly is: "negated" | `list ${string}` }
    ? K
    : never;
}[keyof T];

/** The parsed values of the flags of a table. */
export type FlagsOf<T> = { readonly [K in Always<T>]: ValueOf<T[K]> } & {
  readonly [K in Exclude<keyof T, Always<T>>]?: ValueOf<T[K]>;
};

/** The words of what a flag is. */
export const kindOf = ({ is }: Pick<Flag, "is">): readonly [kind: Kind, value?: string] =>
  is.split(" ") as [Kind, string?];

/** `--part-bytes` of `partBytes`. */
export const longOf = (name: string, { is }: Pick<Flag, "is">): string =>
  `--${is === "negated" ? "no-" : ""}${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The words of a command line that have these values. */
export function wordsOf(table: FlagTable, values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(table).flatMap(([name, flag]) => {
    const value = values[name];
    const word = longOf(name, flag);
    if (flag.is === "negated") return value === false ? [word] : [];
    if (value === undefined || value === false || value === flag.initial) return [];
    if (value === true) return [word];
    return (Array.isArray(value) ? value : [value]).flatMap((one) => [word, String(one)]);
  });
}
