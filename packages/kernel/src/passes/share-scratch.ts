/**
 * Scratch arrays in one array, for devices that bind few: a kernel of many collectives has an array of totals for each of them.
 * Words keep their bits, and an array begins at a multiple of four words, so that vectors stay aligned.
 */
import { type Formula, formula, weightedSum } from "@groupwise/ir/base/formula.js";
import { Names } from "@groupwise/ir/base/names.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "../capabilities/capabilities.ts";
import type { Expr, VarExpr } from "../language/expr.ts";
import { add, bitcast, load, ne, select } from "../language/make-expr.ts";
import { mapParts } from "../language/map-expr.ts";
import { memoryOf, unitsOf } from "../language/memory.ts";
import type { Buffer, Kernel, Module } from "../language/module.ts";
import { sizeExpr } from "../language/size-expr.ts";
import { ROW, type Stmt } from "../language/stmt.ts";
import { arraysOf, atomicArrays, mixedArrays } from "../language/uses.ts";
import { verify } from "../language/verify.ts";
import { allExprs, mapStmt } from "../language/walk.ts";
import { namesOf } from "./base/names-of.ts";
import { type Around, mapKernels } from "./base/pass.ts";
import { expandRows } from "./rows.ts";

/** The module with one array for its scratch, if a kernel has more arrays than the implementation binds. */
export function shareScratch(module: Module, { capabilities }: Around): Module {
  const { buffers, functions } = module;
  if (!isCrowded(module, capabilities)) return module;
  const inFunctions = new Set(
    functions.flatMap(({ body }) => allExprs(body).flatMap((e) => (e.kind === "load" ? [e.array] : []))),
  );
  const atomics = atomicArrays(module);
  const shared = buffers.filter(
    (buffer) => isWords(buffer) && !inFunctions.has(buffer.name) && !atomics.has(buffer.name),
  );
  if (shared.length < 2) return module;
  // Places in the common array are not proven again.
  verify(module);
  const names = new Names(namesOf(module));
  const common = names.fresh("scratch");
  const places = new Map(
    shared.map(({ name }, i) => [name, sizeExpr(wordsOf(shared.slice(0, i)), module.params)]),
  );
  const array: Buffer = {
    name: common,
    role: "scratch",
    type: "u32",
    elements: wordsOf(shared),
    cleared: false,
    holds: shared,
  };
  const made = mapKernels(module, (kernel) => new Sharing(kernel, names.fork(), common, places).kernel());
  const others = buffers.filter(({ name }) => !places.has(name));
  return mapKernels({ ...made, buffers: [...others, array] }, (kernel) => {
    const mixed = mixedArrays([kernel]);
    return expandRows(kernel, names, (name) => name === common && mixed.has(name));
  });
}

const isCrowded = (
  { buffers, kernels, functions }: Module,
  { arraysPerKernel = buffers.length }: Capabilities,
): boolean => kernels.some((kernel) => arraysOf(kernel, buffers, functions).length > arraysPerKernel);

const isWords = (buffer: Buffer): boolean =>
  buffer.role === "scratch" &&
  !buffer.cleared &&
  !buffer.part &&
  unitsOf(buffer) >= 1 &&
  ["u32", "i32", "f32", "bool"].includes(memoryOf(buffer));

/** The words of arrays of which each begins at a multiple of four. */
const wordsOf = (buffers: readonly Buffer[]): Formula =>
  weightedSum(
    buffers.map((buffer) => [
      formula("ceil-div", formula("mul", buffer.elements, unitsOf(buffer)), ROW),
      ROW,
    ]),
  );

const toWord = (value: Expr): Expr => (value.type === "bool" ? select(value, 1, 0) : bitcast("u32", value));
const ofWord = (type: Scalar, word: Expr): Expr => (type === "bool" ? ne(word, 0) : bitcast(type, word));

/** A kernel whose accesses go to the common array. */
class Sharing {
  private readonly given: Kernel;
  private readonly names: Names;
  private readonly common: string;
  private readonly places: ReadonlyMap<string, Expr>;
  private readonly used = new Map<string, VarExpr>();
  /** The types of the rows that the kernel reads there. */
  private readonly rows = new Map<string, Scalar>();

  constructor(given: Kernel, names: Names, common: string, places: ReadonlyMap<string, Expr>) {
    this.given = given;
    this.names = names;
    this.common = common;
    this.places = places;
  }

  kernel(): Kernel {
    const body = this.block(this.given.body);
    const firsts = [...this.used].map(
      ([array, { name }]): Stmt => ({ kind: "let", name, value: this.places.get(array) as Expr }),
    );
    return { ...this.given, body: [...firsts, ...body] };
  }

  private at(array: string, index: Expr): Expr {
    const place = this.used.get(array) ?? {
      kind: "var",
      name: this.names.fresh(`${array}_at`),
      type: "u32",
    };
    this.used.set(array, place);
    return add(place, index);
  }

  private readonly expr = (e: Expr): Expr => {
    const made = mapParts(e, this.expr);
    if (made.kind === "part") {
      const type = this.rows.get(made.of);
      return type ? ofWord(type, { ...made, type: "u32" }) : made;
    }
    if (made.kind !== "load" || !this.places.has(made.array)) return made;
    const { array, index, type } = made;
    const at = this.at(array, index);
    return ofWord(type, { ...load("storage", this.common, "u32", at), inside: true, held: array });
  };

  private block = (stmts: readonly Stmt[]): readonly Stmt[] => stmts.map((stmt) => this.stmt(stmt));

  private stmt(stmt: Stmt): Stmt {
    const made = mapStmt(stmt, this.expr, this.block);
    if ("name" in made) this.rows.delete(made.name);
    if (made.kind !== "store" && made.kind !== "load-row" && made.kind !== "store-row") return made;
    if (!this.places.has(made.array)) return made;
    const place = { array: this.common, index: this.at(made.array, made.index), held: made.array };
    const { memory: _, ...access } = { ...made, ...place };
    if (access.kind === "store") return { ...access, inside: true, value: toWord(access.value) };
    if (access.kind === "store-row") return { ...access, values: access.values.map(toWord) };
    // Its parts are read in later statements.
    this.rows.set(access.name, access.type);
    return { ...access, type: "u32" };
  }
}
