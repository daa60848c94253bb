/** A language's own functions, for pipelines that ask for fast ones. */
import { fastName } from "../library/functions/format.ts";
import { called } from "./text.ts";

/** By operation on f32: the language's function, and the bound of its error in words. */
export type FastRows = Readonly<Record<string, readonly [call: string, bound: string]>>;

const byName = <V>(rows: FastRows, of: (row: FastRows[string]) => V): Readonly<Record<string, V>> =>
  Object.fromEntries(Object.entries(rows).map(([op, row]) => [fastName(op), of(row)]));

/** Calls of these functions, by the function that they replace. */
export const fastCalls = (rows: FastRows): Readonly<Record<string, (...args: string[]) => string>> =>
  byName(rows, ([call]) => called(call));

/** Their errors, by the same: for `fast` of the capabilities. */
export const fastBounds = (rows: FastRows): Readonly<Record<string, string>> =>
  byName(rows, ([, bound]) => bound);
