/** The command line that runs random cases again. */
import type { FuzzRequest } from "./fuzzing.ts";

/** The arguments of `npm run bench --` that run the same cases. */
export function argumentsOf({ kind, type, options }: FuzzRequest): string[] {
  const { seed, from, count, size, batch, seconds, most } = options;
  const values = Object.entries({ kind, type, seed, from, count, batch, seconds, most });
  const given = values.filter(([, value]) => value !== undefined);
  const words = given.flatMap(([name, value]) => [`--${name}`, `${value}`]);
  return ["random", ...words, ...(size === "small" ? ["--small"] : [])];
}

/** Cases of a request from a number on, as arguments in a line of a shell. */
export function lineOf({ options, ...request }: FuzzRequest, from: number, count: number): string {
  const { seed, size, batch } = options;
  const own = { seed, from, count, ...(size && { size }), ...(batch !== undefined && { batch }) };
  const words = argumentsOf({ ...request, options: own });
  return words.map((word) => (/^[\w.-]+$/.test(word) ? word : `'${word}'`)).join(" ");
}
