/** Checks what callers pass, and reads their objects once, so that the checked value is the used value. */
import { errorOf, GroupwiseError } from "./errors.ts";
import { kindOf, shown, typedArrayName } from "./kind.ts";
import { choiceOf } from "./near-names.ts";

export const badArgument = (
  what: string,
  want: string,
  got: string,
  where: string,
  cause?: unknown,
): GroupwiseError => errorOf("bad-argument", { what, want, got }, where, cause);

/** Reads an object; an exception becomes the cause of the error. */
function readFrom<T>(
  value: unknown,
  what: string,
  want: () => string,
  where: string,
  read: (of: object) => T,
): T {
  const isObject = typeof value === "object" && value !== null && typedArrayName(value) === undefined;
  if (!isObject) throw badArgument(what, want(), kindOf(value), where);
  let isList: boolean;
  try {
    isList = Array.isArray(value);
    if (!isList) return read(value);
  } catch (cause) {
    if (cause instanceof GroupwiseError) throw cause;
    throw badArgument(what, want(), "an object that cannot be read", where, cause);
  }
  throw badArgument(what, want(), "a list", where);
}

/**
 * The properties of an object, each read once.
 * @param what the object, for errors
 * @param where the pipeline, for errors
 * @throws GroupwiseError `bad-argument`
 */
export function recordOf(
  value: unknown,
  what: string,
  where: string = "",
): Readonly<Record<string, unknown>> {
  return readFrom(
    value,
    what,
    () => "an object with one property for each name",
    where,
    (of) => ({ ...of }),
  );
}

/** What a value of a caller must be. */
export interface Wanted {
  /** In words: "a boolean". */
  readonly want: string;
  /** Whether a value is one. */
  readonly is: (value: unknown) => boolean;
  /** Whether it must be present; default: it may be undefined. */
  readonly isRequired?: boolean;
}

/** What another check reads. */
export const ANY: Wanted = { want: "any value", is: () => true };
/** True or false. */
export const BOOLEAN: Wanted = { want: "true or false", is: (value) => typeof value === "boolean" };
/** A string. */
export const TEXT: Wanted = { want: "a string", is: (value) => typeof value === "string" };
/** A function. */
export const FUNCTION: Wanted = { want: "a function", is: (value) => typeof value === "function" };
/** Any number. */
export const NUMBER: Wanted = { want: "a number", is: (value) => typeof value === "number" };
/** Any object, lists and arrays among them. */
export const OBJECT: Wanted = {
  want: "an object",
  is: (value) => typeof value === "object" && value !== null,
};
/** A list of strings. */
export const TEXTS: Wanted = {
  want: "a list of strings",
  is: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
};

/** A whole number. */
export const whole = (least: number, most: number = Number.MAX_SAFE_INTEGER): Wanted => ({
  want:
    most === Number.MAX_SAFE_INTEGER
      ? `a whole number from ${least} on`
      : `a whole number from ${least} to ${most}`,
  is: (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
});

/** One of a few words. */
export const oneOf = (...words: readonly string[]): Wanted => ({
  want: words.map((word) => JSON.stringify(word)).join(" or "),
  is: (value) => words.includes(value as string),
});

/** A list of anything. */
export const LIST: Wanted = { want: "a list", is: (value) => Array.isArray(value) };

/** An object whose properties are these, for example the result of a function. */
export const shaped = (want: string, properties: Readonly<Record<string, Wanted>>): Wanted => ({
  want,
  is: (value) =>
    OBJECT.is(value) &&
    Object.entries(properties).every(([name, one]) => one.is((value as Record<string, unknown>)[name])),
});

/** The same, but it may not be absent. */
export const required = (wanted: Wanted): Wanted => ({ ...wanted, isRequired: true });
/** The same, but it may be absent, as an argument. */
export const optional = ({ want, is }: Wanted): Wanted => ({
  want,
  is: (value) => value === undefined || is(value),
});

/** An object with methods of these names, for example a runtime. */
export const having = (want: string, ...methods: readonly string[]): Wanted => ({
  want,
  is: (value) => {
    const isObject = (typeof value === "object" || typeof value === "function") && value !== null;
    return (
      isObject && methods.every((name) => typeof (value as Record<string, unknown>)[name] === "function")
    );
  },
});

/**
 * Checks an argument.
 * @throws GroupwiseError `bad-argument`
 */
export function requireArgument(
  value: unknown,
  { want, is }: Wanted,
  what: string,
  where: string = "",
): void {
  let fits: boolean;
  try {
    fits = is(value);
  } catch (cause) {
    throw badArgument(what, want, "an object that cannot be read", where, cause);
  }
  if (!fits) throw badArgument(what, want, shown(value), where);
}

/** Options by name: the names, or what each must be. */
export type Schema<K extends string> = readonly K[] | { readonly [N in K]: Wanted };

/**
 * Options by name, each read once; undefined ones are omitted.
 * @param what the options, for errors
 * @param where the pipeline, for errors
 * @param others names that another reader of the same options knows
 * @throws GroupwiseError `bad-argument`; `bad-usage` if there is no such option, with the nearest name
 */
export function optionsOf<K extends string>(
  value: unknown,
  schema: Schema<K>,
  what: string,
  where: string = "",
  others: readonly string[] = [],
): { readonly [N in K]?: unknown } {
  const wanted = Array.isArray(schema) ? undefined : (schema as { readonly [N in K]: Wanted });
  const names = (wanted ? Object.keys(wanted) : schema) as readonly K[];
  const isKnown = (name: string): boolean => names.includes(name as K) || others.includes(name);
  const all = (): string[] => [...names, ...others];
  const read = (of: object): { [N in K]?: unknown } => {
    const strange = Object.keys(of).find((name) => !isKnown(name));
    if (strange !== undefined) throw unknownOption(strange, all(), what, where);
    const options: { [N in K]?: unknown } = {};
    for (const name of names) {
      const option = (of as Record<K, unknown>)[name];
      if (option !== undefined) options[name] = option;
    }
    return options;
  };
  const want = (): string => `an object, with ${all().join(", ") || "nothing"}`;
  const given: { [N in K]?: unknown } = value === undefined ? {} : readFrom(value, what, want, where, read);
  for (const name of wanted ? names : []) {
    const one = wanted?.[name] as Wanted;
    const option = given[name];
    if (one.isRequired || option !== undefined) requireArgument(option, one, `the option ${name}`, where);
  }
  return given;
}

/**
 * Checks the arguments of a function without options, and refuses an object after the last one: options that nothing would read. What else
 * follows is ignored, because `[f32, u32].map(table)` passes indexes.
 * @param given `arguments`
 * @param of the function, for errors
 * @param schema the parameters in their order
 * @param where the pipeline, for errors
 * @throws GroupwiseError `bad-argument`; `bad-usage` for options
 */
export function requireArguments(
  given: ArrayLike<unknown>,
  of: string,
  schema: Schema<string>,
  where: string = "",
): void {
  const wanted = Array.isArray(schema) ? [] : Object.entries(schema as Readonly<Record<string, Wanted>>);
  for (const [i, [name, one]] of wanted.entries())
    requireArgument(given[i], one, `the ${name} of ${of}`, where);
  const rest = given[Array.isArray(schema) ? schema.length : wanted.length];
  if (OBJECT.is(rest)) optionsOf(rest, [], `the options of ${of}`, where);
}

function unknownOption(name: string, known: readonly string[], what: string, where: string): GroupwiseError {
  const reason = `${what}: there is no option ${JSON.stringify(name.slice(0, 64))}`;
  return errorOf("bad-usage", { reason, hint: choiceOf(name, known, "known options") }, where);
}

/** Whether a number is a power of two, at least 1. */
export const isPowerOfTwo = (x: number): boolean => x >= 1 && Number.isSafeInteger(Math.log2(x));
