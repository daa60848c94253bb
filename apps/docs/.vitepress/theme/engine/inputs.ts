/** Values for a run: generated from a seed, read from a file, or typed. */
import type { ArrayType, HostArray, RunValues, Scalar, ScalarValue } from "@groupwise/core";
import { arraySpec, errorOf, SCALARS, storedValue, valueTypeOf } from "@groupwise/core/target";
import { readNpy } from "../../../../../packages/cli/src/values/npy.ts";
import { initialOf } from "../playground/initial.ts";
import type { Argument, InputFile, RunRequest } from "./messages.ts";

/** Items of a run in the browser, at most. */
export const MOST_ITEMS: number = 2 ** 22;

/** Numbers from 0 to 2^32 - 1: mulberry32 by Tommy Ettinger. */
export function randomWords(seed: number, name: string): () => number {
  let state = seed >>> 0;
  for (const character of name) state = Math.imul(state ^ (character.codePointAt(0) as number), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), 1 | state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return (word ^ (word >>> 14)) >>> 0;
  };
}

/** By kind of type: floats from 0 to 1, integers from 0 to 99, and halves of true and false. */
const DRAWS = {
  float: (word: number): ScalarValue => word / 2 ** 32,
  int: (word: number): ScalarValue => word % 100,
  uint: (word: number): ScalarValue => word % 100,
  bool: (word: number): ScalarValue => (word & 1) === 1,
} as const;

/** n values of a type: the same for the same seed and name. */
export function generated(type: ArrayType, n: number, seed: number, name: string): HostArray {
  const { array, toHost } = arraySpec(type);
  const { kind, whole, wrap } = SCALARS[valueTypeOf(type)];
  const next = randomWords(seed, name);
  const values = new array(n);
  for (let i = 0; i < n; i++) {
    const drawn = DRAWS[kind](next());
    values[i] = toHost(kind === "float" ? wrap(drawn) : whole(Number(drawn))) as never;
  }
  return values;
}

const badFile = (path: string, reason: string): Error =>
  errorOf("bad-file", { path, reason, hint: "give a one-dimensional .npy file, or a text of numbers" }, path);

/** A typed value. @throws GroupwiseError `bad-parameter` */
export function typedValue(name: string, type: Scalar, text: string): ScalarValue {
  const { kind, bits } = SCALARS[type];
  const trimmed = text.trim();
  const refuse = (): Error => errorOf("bad-parameter", { name, type, got: text });
  if (kind === "bool") {
    if (trimmed !== "true" && trimmed !== "false") throw refuse();
    return trimmed === "true";
  }
  if (kind !== "float" && !/^[+-]?\d+$/.test(trimmed)) throw refuse();
  if (bits === 64 && kind !== "float") return BigInt(trimmed);
  const value = trimmed === "" ? Number.NaN : Number(trimmed);
  if (Number.isNaN(value) && !/^nan$/i.test(trimmed)) throw refuse();
  return value;
}

/** The numbers of a text: separated by white space, commas or semicolons; a file's first line of headings is left out. */
export function numbersOf(text: string, type: ArrayType, path: string, isFile: boolean = true): HostArray {
  const { array, toHost } = arraySpec(type);
  const { wrap, kind, bits } = SCALARS[valueTypeOf(type)];
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const cellsOf = (line: string): string[] => line.split(/[\s,;]+/).filter((cell) => cell !== "");
  const isNumber = (cell: string): boolean => !Number.isNaN(Number(cell));
  const isHeading = isFile && cellsOf(lines[0] ?? "").some((cell) => !isNumber(cell));
  const values = (isHeading ? lines.slice(1) : lines).flatMap((line) => cellsOf(line));
  const wrong = values.find((cell) => !isNumber(cell));
  if (wrong !== undefined) throw badFile(path, `${JSON.stringify(wrong.slice(0, 40))} is not a number`);
  if (values.length === 0) throw badFile(path, "it has no numbers");
  const read = (cell: string): ScalarValue => {
    if (kind === "float") return wrap(Number(cell));
    if (kind === "bool") return Number(cell) !== 0;
    const value = BigInt(Math.trunc(Number(cell)));
    const exact = /^[+-]?\d+$/.test(cell) ? BigInt(cell) : value;
    const wrapped = storedValue(type, wrap(bits === 64 ? exact : Number(exact)));
    if (String(wrapped) !== String(exact) || Number(cell) !== Number(exact))
      throw badFile(path, `${cell} is not a value of ${type}`);
    return wrapped;
  };
  const out = new array(values.length);
  values.forEach((cell, i) => {
    out[i] = toHost(read(cell)) as never;
  });
  return out;
}

/** The array in a file, by its extension. @throws GroupwiseError `bad-file` */
export function arrayOfFile({ name, bytes }: InputFile, type: ArrayType): HostArray {
  return name.toLowerCase().endsWith(".npy")
    ? readNpy(new Uint8Array(bytes), type, name)
    : numbersOf(new TextDecoder().decode(bytes), type, name);
}

const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** The values of an array from its file or as they were typed; undefined where they are generated. */
function givenOf({ name, type }: Argument, { files, typed }: RunRequest): HostArray | undefined {
  const [file, text = ""] = [own(files, name), own(typed, name)];
  if (file) return arrayOfFile(file, type);
  return text.trim() === "" ? undefined : numbersOf(text, type, name, false);
}

/** Every value of a run; the length of a given input takes the place of n. */
export function valuesOf(
  args: readonly Argument[],
  request: RunRequest,
): { readonly n: number; readonly values: RunValues } {
  const given = args.map((one) => (one.role === "param" ? undefined : givenOf(one, request)));
  const n = given.find((array, i) => array && args[i]?.role === "input")?.length ?? request.n;
  if (!Number.isSafeInteger(n) || n < 0 || n > MOST_ITEMS)
    throw errorOf("bad-length", { got: n, limit: MOST_ITEMS });
  const values = args.map(({ name, role, type }, i): [string, HostArray | ScalarValue] => [
    name,
    role === "param"
      ? typedValue(name, valueTypeOf(type), own(request.typed, name) ?? initialOf(type))
      : (given[i] ?? generated(type, n, request.seed, name)),
  ]);
  return { n, values: Object.fromEntries(values) };
}
