/** The dialect of CUDA C++ for the Kernel IR. */
import {
  type Builtin,
  type Dialect,
  type FunctionSpelling,
  inVectors,
  memoryOf,
  movedBy,
  NOTHING_TAKEN,
  structOf,
  type Taken,
  takenNames,
  unmarked,
  withoutGroupFunctions,
} from "@groupwise/core/kernel";
import { isNarrow } from "@groupwise/core/target";
import { WARP } from "../capabilities.ts";
import { FAST } from "./fast.ts";
import { HALF_CONVERSIONS, reduceName } from "./helpers.ts";
import { OPERATORS } from "./operators.ts";
import { OWN } from "./own.ts";
import { elementType, literal, sharedType, valueType, vectorOf } from "./types.ts";

const BUILTINS: Readonly<Record<Builtin, string>> = {
  "local-id": "threadIdx.x",
  "group-id": "blockIdx.x",
  "group-size": "blockDim.x",
  "subgroup-size": `${WARP}u`,
  cell: "(blockIdx.x * blockDim.x + threadIdx.x)",
};

const stored = (value: string): string => `${/^\w+$/.test(unmarked(value)) ? value : `(${value})`} ? 1u : 0u`;
const loaded = (element: string, type: string): string => (type === "bool" ? `(${element} != 0)` : element);

export const DIALECT: Dialect = {
  literal,
  ...OPERATORS,
  ...inVectors(vectorOf, (vector, parts) => `${vector}{${parts}}`, "const T"),
  own: { ...OWN, ...FAST },
  ownBodies: { ...HALF_CONVERSIONS, no_bits: () => ["return zero_word;"] },
  select: (condition, then, otherwise) => `(${condition} ? ${then} : ${otherwise})`,
  param: (name, type) => loaded(name, type),
  builtin: (name) => BUILTINS[name],
  load: (_, array, index, type, memory) => {
    const element = `${array}[${index}]`;
    // Narrow integers would be promoted to int.
    return isNarrow(memory) ? `(${valueType(type)})${element}` : loaded(element, type);
  },
  indexSum: (a, b) => `(u64)${a} + ${b}`,
  // Not const: clang evaluates the initialisers of const integers at every use, which takes time exponential in the length of a chain of selects.
  let: (name, type, value) => `${valueType(type)} ${name} = ${value};`,
  var: (name, type, value) => `${valueType(type)} ${name} = ${value};`,
  array: (name, type, length) => [`${valueType(type)} ${name}[${length}] = {};`],
  filled: (name, type, values) => `${valueType(type)} ${name}[${values.length}] = {${values.join(", ")}};`,
  store: ({ space, array, index, value, type, memory }) => {
    if (isNarrow(memory)) return `${array}[${index}] = (${elementType(memory)})(${value});`;
    const isWord = type === "bool" && space !== "private";
    return `${array}[${index}] = ${isWord ? stored(value) : value};`;
  },
  atomic: (op, { array, index, value }) =>
    `atomic${op[0]?.toUpperCase()}${op.slice(1)}(&${array}[${index}], ${value});`,
  barrier: ["__syncthreads();"],
  prefetch: (array, index) => `prefetch_line(${array} + ${index});`,
  intrinsics: {
    "shuffle-xor": movedBy("shuffle_xor", (truth) => stored(truth)),
    shuffle: movedBy("shuffle", (truth) => stored(truth)),
    ballot: ({ value }) => `ballot(${value})`,
    "some-lane": ({ value }) => `some_lane(${value})`,
    "reduce-lanes": ({ op, type, value }) => `${reduceName(op, type)}(${value})`,
  },
  atomicLoad: (array, index) => `load_relaxed(&${array}[${index}])`,
  atomicLoadRow: (array, index, width, condition) =>
    `load_relaxed_${width}(&${array}[${index}], ${condition})`,
  atomicStore: (array, index, value) => `store_relaxed(&${array}[${index}], ${value});`,
  atomicAdd: (array, index, value) => `atomicAdd(&${array}[${index}], ${value})`,
  loadRow: (array, index, type, memory, width) => {
    const row = `load_row<${width}>(${array} + ${index})`;
    const isOther = isNarrow(memory) || type === "bool";
    return isOther ? `converted<${type}>(${row})` : row;
  },
  storeRow: (array, index, values, type, memory) => {
    const element = elementType(memory);
    const cast = isNarrow(memory) || type === "bool" ? (value: string) => `(${element})(${value})` : String;
    return `store_row(${array} + ${index}, ${vectorOf(element, values.length)}{${values.map(cast).join(", ")}});`;
  },
  uniformLoad: (name, array, index, type) => [
    "__syncthreads();",
    `${valueType(type)} ${name} = ${type === "bool" ? `${array}[${index}] != 0` : `${array}[${index}]`};`,
    "__syncthreads();",
  ],
  ...withoutGroupFunctions,
  for: (name, from, below, step) =>
    `for (u32 ${name} = ${from}; ${name} < ${below}; ${step === 1 ? `${name}++` : `${name} += ${step}u`}) {`,
};

/** The dialect for a module whose routines are functions. */
export const dialectFor = (taken: ReadonlyMap<string, Taken>): Dialect => ({
  ...DIALECT,
  construct: (fn, values) => `${structOf(fn)}{${values.join(", ")}}`,
  results: (name, fn, call) => `const ${structOf(fn)} ${name} = ${call};`,
  passed: (fn) => takenNames(taken.get(fn) ?? NOTHING_TAKEN),
});

export const FUNCTIONS: FunctionSpelling = {
  before: "__device__ inline ",
  valueType,
  vectorOf,
  pointer: (buffer, access, isAtomic) => {
    const element = elementType(memoryOf(buffer));
    return access === "read" && !isAtomic ? `const ${element}* ` : `${element}* `;
  },
  sharedPointer: ({ type }) => `${sharedType(type)}* `,
  scalar: ({ type }, name) => `const ${elementType(type)} ${name}`,
  structure: (name, fields) => `struct ${name} { ${fields} };`,
};
