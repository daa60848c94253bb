/** The command line that runs random cases again. */
import type { FuzzRequest } from "./fuzzing.ts";

/** Cases of a request from a number on, as the arguments of `npm run bench --` in a line of a shell. */
export function lineOf({ kind, type, options }: FuzzRequest, from: number, count: number): string {
  const { seed, size, batch } = options;
  const values = Object.entries({ kind, type, seed, from, count, batch });
  const given = values.filter(([, value]) => value !== undefined);
  const words = given.flatMap(([name, value]) => [`--${name}`, `${value}`]);
  return ["random", ...words, ...(size === "small" ? ["--small"] : [])]
    .map((word) => (/^[\w.-]+$/.test(word) ? word : `'${word}'`))
    .join(" ");
}
