/** Values that a file lacks: empty cells and nulls. They are errors, or the value of `--null`. */
import type { ArrayType } from "@groupwise/core";
import { arraySpec } from "@groupwise/core/target";
import { badFile, badUsage } from "../base/problem.ts";
import { parseElement } from "./scalar.ts";

/**
 * The element in place of a value that is absent.
 * @param given the text of `--null`
 * @param where the row and the column
 * @throws GroupwiseError `bad-file` without `--null`, `bad-usage` if its text is no value of the type
 */
export function absentElement(
  type: ArrayType,
  given: string | undefined,
  path: string,
  where: string,
): number | bigint {
  if (given === undefined)
    throw badFile(
      path,
      `${where}: there is no value`,
      undefined,
      "--null VALUE reads VALUE in its place, for example --null 0, or nan for floats",
    );
  const value = parseElement(type, given);
  if (value !== undefined) return arraySpec(type).toHost(value);
  throw badUsage(
    `${path}, ${where}: there is no value, and --null ${given} is not one of ${type}`,
    "pass a value of the input's type",
    path,
  );
}
