/**
 * Splits arrays that are larger than one binding into parts of equal sizes. It runs after all other passes, so it handles elements of memory only, and every strategy's
 * kernels are split alike.
 */
import { errorOf } from "@groupwise/ir/base/errors.js";
import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import { Names } from "@groupwise/ir/base/names.js";
import type { Expr } from "../language/expr.ts";
import { call, isSimple, load, lt, sub, zeroOf } from "../language/make-expr.ts";
import { mapParts } from "../language/map-expr.ts";
import { elementBytes, memoryOf, unitsOf, valueIn } from "../language/memory.ts";
import type { Buffer, Fn, Kernel, Module } from "../language/module.ts";
import { madeOf } from "../language/origin.ts";
import type { Stmt } from "../language/stmt.ts";
import { mixedArrays } from "../language/uses.ts";
import { mapStmt } from "../language/walk.ts";
import { namesOf } from "./base/names-of.ts";
import { type Around, mapBlock, type Split } from "./base/pass.ts";
import { expandRows, type RowForm } from "./rows.ts";

/** Offsets of bindings are multiples of this on any device; it holds whole elements and vec4s of any type. */
const ALIGNMENT = 256;
/** Indexes are u32. */
const UNITS = 2 ** 32;

interface Whole {
  readonly buffer: Buffer;
  readonly parts: readonly Buffer[];
  /** Elements of memory in a part. */
  readonly units: number;
  /** The function that loads an element. */
  readonly reader: string;
}

/**
 * The module with the named arrays in parts. Loads become calls of a function that chooses the part, stores
 * a chain of branches. Flags are set in whole arrays only.
 * @throws GroupwiseError `unsupported` for arrays that cannot be split into parts
 */
export function splitArrays(module: Module, { split }: Pick<Around, "split">): Module {
  if (!split) return module;
  const names = new Names(namesOf(module));
  const wholes = new Map<string, Whole>();
  if (!(split.partBytes > 0) || split.partBytes % ALIGNMENT !== 0)
    refuse(`parts of ${split.partBytes} bytes`, `their size is a multiple of ${ALIGNMENT}`);
  for (const [name, count] of Object.entries(split.parts)) {
    const buffer = module.buffers.find((one) => one.name === name);
    if (!buffer) refuse(`parts of ${name}`, "the pipeline has no such array");
    wholes.set(name, wholeOf(buffer, count, split, names));
  }
  const readers = new Set<string>();
  const mixed = new Set(mixedArrays(module.kernels));
  for (const name of split.twice ?? []) mixed.delete(name);
  const kernels = module.kernels.map((given) => {
    const kernel = expandRows(given, names, (array) => mixed.has(array));
    const inParts = expandRows(kernel, names, (array) => wholes.has(array), rowsIn(wholes));
    return splitKernel(inParts, wholes, readers, names);
  });
  const given = module.functions.map((fn) => ({ ...fn, body: mapBlock(fn.body, readIn(wholes, readers)) }));
  const functions = [...wholes.values()].filter((whole) => readers.has(whole.reader)).map(readerOf);
  const buffers = module.buffers.flatMap((buffer) => wholes.get(buffer.name)?.parts ?? [buffer]);
  return { ...module, buffers, functions: [...functions, ...given], kernels };
}

function refuse(what: string, reason: string): never {
  throw errorOf("unsupported", { what, reason });
}

function wholeOf(buffer: Buffer, count: number, { partBytes }: Split, names: Names): Whole {
  const { name, role } = buffer;
  const elements = partBytes / elementBytes(buffer);
  const units = elements * unitsOf(buffer);
  if (role === "status") refuse(`parts of ${name}`, "its elements are set by many work-items at once");
  if (!Number.isSafeInteger(count) || count < 2 || (count - 1) * units >= UNITS)
    refuse(
      `${name} in ${count} parts of ${partBytes} bytes`,
      "there are two at least, with indexes below 2^32",
    );
  const parts = Array.from({ length: count }, (_, index): Buffer => {
    const before = index * elements;
    const after = formula("max", formula("sub", buffer.elements, before), 0);
    const rest: Formula = index === 0 ? buffer.elements : after;
    const held = index === count - 1 ? rest : formula("min", rest, elements);
    return {
      ...buffer,
      name: names.fresh(`${name}_${index}`),
      elements: held,
      part: { of: buffer, index, count, elements },
    };
  });
  return { buffer, parts, units, reader: names.fresh(`${name}_at`) };
}

/** The index in the part with this number of the element with an index, if it is in that part. */
const within = ({ units }: Whole, index: Expr, part: number): Expr => sub(index, part * units);
/** Whether the element is in this part, if it is not in an earlier one. */
const isIn = ({ units }: Whole, index: Expr, part: number): Expr => lt(index, (part + 1) * units);

/** A chain of branches: neighbouring work-items take the same branch, and only one part is read. A select would read all parts. */
function readerOf(whole: Whole): Fn {
  const { buffer, parts, reader } = whole;
  const memory = memoryOf(buffer);
  const type = valueIn(memory);
  const index: Expr = { kind: "var", name: "index", type: "u32" };
  const read = (part: Buffer, index: Expr): readonly Stmt[] => {
    const element = load("storage", part.name, type, index);
    return [{ kind: "assign", name: "element", value: memory === type ? element : { ...element, memory } }];
  };
  return {
    name: reader,
    doc: `An element of ${buffer.name}, which is split into ${parts.length} parts.`,
    params: [{ name: "index", type: "u32" }],
    returns: type,
    width: 1,
    body: [
      { kind: "var", name: "element", value: zeroOf(type) },
      choose(whole, index, read),
      { kind: "return", values: [{ kind: "var", name: "element", type }] },
    ],
  };
}

/** The statement of the part that has the index. */
function choose(whole: Whole, index: Expr, stmt: (part: Buffer, index: Expr) => readonly Stmt[]): Stmt {
  const last = whole.parts.length - 1;
  const of = (i: number): readonly Stmt[] => stmt(whole.parts[i] as Buffer, within(whole, index, i));
  const from = (i: number): readonly Stmt[] =>
    i === last
      ? of(i)
      : [{ kind: "if", condition: isIn(whole, index, i), then: of(i), otherwise: from(i + 1) }];
  return from(0)[0] as Stmt;
}

/** Names values that are read in several branches. */
class Named {
  readonly before: Stmt[] = [];
  private readonly names: Names;
  private readonly array: string;

  constructor(names: Names, array: string) {
    this.names = names;
    this.array = array;
  }

  of(hint: string, value: Expr): Expr {
    if (isSimple(value)) return value;
    const name = this.names.fresh(`${this.array}_${hint}`);
    this.before.push({ kind: "let", name, value });
    return { kind: "var", name, type: value.type };
  }
}

/** Vec4s of the part that has them: a part is a multiple of vec4s. */
const rowsIn = (wholes: ReadonlyMap<string, Whole>): RowForm => ({
  load(row, elements, names) {
    const whole = wholes.get(row.array) as Whole;
    const named = new Named(names, row.array);
    const index = named.of("index", row.index);
    const name = names.fresh(`${row.array}_row`);
    const variables = elements.map(({ name, type }): Stmt => ({ kind: "var", name, value: zeroOf(type) }));
    const from = ({ name: array }: Buffer, index: Expr): Stmt[] => [
      { ...row, name, array, index },
      ...elements.map((element, i): Stmt => {
        const value: Expr = { kind: "part", of: name, index: i, type: element.type };
        return { kind: "assign", name: element.name, value };
      }),
    ];
    return [...named.before, ...variables, choose(whole, index, from)];
  },
  store(row, names) {
    const whole = wholes.get(row.array) as Whole;
    const named = new Named(names, row.array);
    const index = named.of("index", row.index);
    const values = row.values.map((value) => named.of("value", value));
    const to = ({ name: array }: Buffer, index: Expr): Stmt[] => [{ ...row, array, index, values }];
    return [...named.before, choose(whole, index, to)];
  },
});

/** Expressions with calls in place of loads; records the called functions. */
function readIn(wholes: ReadonlyMap<string, Whole>, readers: Set<string>): (e: Expr) => Expr {
  const expr = (e: Expr): Expr => {
    const inner = mapParts(e, expr);
    const whole = inner.kind === "load" && wholes.get(inner.array);
    if (!whole) return inner;
    readers.add(whole.reader);
    return { ...call(whole.reader, inner.type, [inner.index]), loads: true };
  };
  return expr;
}

function splitKernel(
  kernel: Kernel,
  wholes: ReadonlyMap<string, Whole>,
  readers: Set<string>,
  names: Names,
): Kernel {
  const expr = readIn(wholes, readers);
  const one = (given: Stmt): readonly Stmt[] => {
    const stmt = mapStmt(given, expr, block);
    if (stmt.kind !== "store" && stmt.kind !== "atomic") return [stmt];
    const whole = wholes.get(stmt.array);
    if (!whole) return [stmt];
    const named = new Named(names, stmt.array);
    const [index, value] = [named.of("index", stmt.index), named.of("value", stmt.value)];
    const to = ({ name: array }: Buffer, index: Expr): Stmt[] => [{ ...stmt, array, index, value }];
    return [...named.before, choose(whole, index, to)];
  };
  const block = (stmts: readonly Stmt[]): readonly Stmt[] => stmts.flatMap((stmt) => madeOf(stmt, one(stmt)));
  return { ...kernel, body: block(kernel.body) };
}
