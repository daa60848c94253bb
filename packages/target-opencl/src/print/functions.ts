/** How OpenCL C declares functions, the structures of several results, and the arrays of kernels that they take. */
import {
  type Dialect,
  type FunctionSpelling,
  memoryOf,
  NOTHING_TAKEN,
  structOf,
  type Taken,
  takenNames,
} from "@groupwise/core/kernel";
import { DIALECT, elementType, valueType, vectorOf } from "./spelling.ts";

/** The dialect for a module whose routines are functions. */
export const dialectFor = (taken: ReadonlyMap<string, Taken>): Dialect => ({
  ...DIALECT,
  construct: (fn, values) => `(${structOf(fn)}){${values.join(", ")}}`,
  results: (name, fn, call) => `${structOf(fn)} ${name} = ${call};`,
  passed: (fn) => takenNames(taken.get(fn) ?? NOTHING_TAKEN),
});

export const FUNCTIONS: FunctionSpelling = {
  before: "",
  valueType,
  vectorOf,
  pointer: (buffer, access, isAtomic) => {
    const element = elementType(memoryOf(buffer));
    if (isAtomic) return `volatile __global ${element}* `;
    return access === "read" ? `__global const ${element}* ` : `__global ${element}* `;
  },
  sharedPointer: ({ type }, isAtomic) => `${isAtomic ? "volatile " : ""}__local ${elementType(type)}* `,
  scalar: ({ type }, name) => `const ${elementType(type)} ${name}`,
  structure: (name, fields) => `typedef struct { ${fields} } ${name};`,
};
