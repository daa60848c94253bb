/** The dialect of C11 for the Kernel IR. */

import type { Scalar } from "@groupwise/core";
import {
  type AtomicOp,
  bare,
  type Dialect,
  isOffset,
  unmarked,
  withoutGroupFunctions,
  withoutLookBack,
  withoutSubgroups,
} from "@groupwise/core/kernel";
import { isNarrow } from "@groupwise/core/target";
import { OPERATORS } from "./operators.ts";
import { elementType, literal, valueType } from "./types.ts";
import { unrolling } from "./unrolled.ts";
import { VECTORS } from "./vectors.ts";

/** The struct of several results of one type. */
export const resultsOf = (type: Scalar, width: number): string => `struct ${type}_x${width}`;
/** A member of it. */
export const memberOf = (index: number): string => `part${index}`;

/** A value that stands alone, safe within any operator. */
const within = (value: string): string => (/^\w+(\[\w+\])?$/.test(unmarked(value)) ? value : `(${value})`);
const assigned =
  (op: AtomicOp) =>
  (element: string, value: string, type: Scalar): string =>
    `${element} = ${bare(OPERATORS.binary[op](element, within(value), type))};`;
const COMBINED: Readonly<Record<AtomicOp, (element: string, value: string, type: Scalar) => string>> = {
  add: assigned("add"),
  min: assigned("min"),
  max: assigned("max"),
  and: (element, value) => `${element} &= ${value};`,
  or: (element, value) => `${element} |= ${value};`,
  xor: (element, value) => `${element} ^= ${value};`,
};

const typeOf = (type: Scalar, width: number | undefined): string =>
  width === undefined ? valueType(type) : VECTORS.type(type, width);

export const DIALECT: Dialect = {
  literal,
  ...OPERATORS,
  select: (condition, then, otherwise) => `(${condition} ? ${then} : ${otherwise})`,
  param: (name) => name,
  // A sequential kernel has no ids.
  builtin: () => "0u",
  load: (space, array, index, type, memory) => {
    const element = `${array}[${index}]`;
    // Narrow integers would be promoted to int.
    if (isNarrow(memory)) return `(${valueType(type)})${element}`;
    return type === "bool" && space === "storage" ? `(${element} != 0)` : element;
  },
  let: (name, type, value, width) => `const ${typeOf(type, width)} ${name} = ${value};`,
  var: (name, type, value, width) => `${typeOf(type, width)} ${name} = ${value};`,
  vectors: VECTORS,
  array: (name, type, length) => [`${valueType(type)} ${name}[${length}] = {0};`],
  filled: (name, type, values) => `${valueType(type)} ${name}[${values.length}] = {${values.join(", ")}};`,
  store: ({ array, index, value, memory }) =>
    `${array}[${index}] = ${isNarrow(memory) ? `(${elementType(memory)})(${value})` : value};`,
  // One thread: nothing else writes the element.
  atomic: (op, { array, index, value, type }) => COMBINED[op](`${array}[${index}]`, value, type),
  barrier: [],
  ...withoutLookBack,
  ...withoutSubgroups,
  ...withoutGroupFunctions,
  returns: (values, type) => [`return (${resultsOf(type, values.length)}){${values.join(", ")}};`],
  call: (name, call, type, width) => [`const ${resultsOf(type, width)} ${name} = ${call};`],
  part: (name, index) => `${name}.${memberOf(index)}`,
  // Compilers do not know that i + 1u does not wrap if i is a uint32_t.
  for: (name, from, below, step, stmt) =>
    `${unrolling(stmt)}for (${isOffset(stmt) ? "size_t" : "uint32_t"} ${name} = ${from}; ${name} < ${below}; ${step === 1 ? `${name}++` : `${name} += ${step}u`}) {`,
};
