/**
 * For debug runs: kernels report accesses outside of arrays of device memory and reads of elements that nothing wrote, in bits of the status,
 * and access an element inside instead. Indexes of other memory are verified for every module.
 */
import { type Formula, formula, sumOf } from "@groupwise/ir/base/formula.js";
import type { Expr } from "../language/expr.ts";
import { TRAITS } from "../language/intrinsics.ts";
import { add, and, binary, lt, mul, ne, select, sub, u32, unary } from "../language/make-expr.ts";
import { mapParts, partsOf } from "../language/map-expr.ts";
import { unitsOf } from "../language/memory.ts";
import type { AccessCheck, Buffer, Module } from "../language/module.ts";
import { sizeExpr } from "../language/size-expr.ts";
import type { Stmt } from "../language/stmt.ts";
import { arraysOf } from "../language/uses.ts";
import { type AccessStmt, exprsOf, isAccess, mapStmt, spaceOf, widthOf } from "../language/walk.ts";
import { type Around, freshName } from "./base/pass.ts";

/** Bits of a word. */
const BITS = 32;

/** An access, which happens where a condition holds. */
interface Access {
  readonly array: string;
  readonly index: Expr;
  /** Consecutive elements, from a multiple of their number on. */
  readonly width: number;
  readonly condition: Expr | undefined;
}

/** Device memory of an array. */
interface Known {
  /** Its elements, of which hosts allocate one for an empty array. */
  readonly length: Expr;
  /** The word of the first element's bit that says whether it is written; undefined if all are, or if none is read. */
  readonly marks: Expr | undefined;
}

/** The module whose runs report what is wrong, if the capabilities ask for it. */
export function checkAccesses(module: Module, { capabilities }: Around): Module {
  return capabilities.accesses === "checked" ? new Checking(module).module() : module;
}

class Checking {
  private readonly given: Module;
  private readonly status: string;
  private readonly written: string;
  /** Words that have a bit for each element of some array. */
  private readonly words: Formula;
  private readonly arrays = new Map<string, Known>();
  private readonly checks: AccessCheck[] = [];
  /** Bits of the status before those of the checks. */
  private readonly firstBit: number;
  private kernel = "";

  constructor(module: Module) {
    this.given = module;
    const { buffers, kernels, functions } = module;
    this.status = buffers.find(({ role }) => role === "status")?.name ?? freshName("status", module);
    this.written = freshName("written", module);
    this.firstBit = Math.ceil(buffers.filter(({ scatter }) => scatter).length / BITS) * BITS;
    const uses = kernels.flatMap((kernel) => arraysOf(kernel, buffers, functions));
    const read = new Set(uses.filter(({ access }) => access !== "write").map(({ name }) => name));
    const sizes: Formula[] = [];
    for (const buffer of buffers) {
      const units = Math.max(1, unitsOf(buffer));
      const length = mul(binary("max", this.size(buffer.elements), 1), units);
      const hasMarks = read.has(buffer.name) && isEmptyAtFirst(buffer);
      this.arrays.set(buffer.name, { length, marks: hasMarks ? this.size(sumOf(sizes)) : undefined });
      if (hasMarks)
        sizes.push(formula("add", formula("floor-div", formula("mul", buffer.elements, units), BITS), 1));
    }
    this.words = sumOf(sizes);
  }

  module(): Module {
    const kernels = this.given.kernels.map((kernel) => {
      this.kernel = kernel.name;
      return { ...kernel, body: this.block(kernel.body) };
    });
    const elements = (this.firstBit + Math.ceil(this.checks.length / BITS) * BITS) / BITS;
    const own: readonly Buffer[] = [
      { name: this.status, role: "status", type: "u32", elements, cleared: true },
      ...(this.words === 0 ? [] : [this.marks()]),
    ];
    const others = this.given.buffers.filter(({ role }) => role !== "status");
    return { ...this.given, buffers: [...others, ...own], kernels, checks: this.checks };
  }

  private marks(): Buffer {
    return { name: this.written, role: "scratch", type: "u32", elements: this.words, cleared: true };
  }

  /** A size as an expression. */
  private size(f: Formula): Expr {
    return sizeExpr(f, this.given.params);
  }

  private block(stmts: readonly Stmt[]): readonly Stmt[] {
    return stmts.filter(isPart).flatMap((stmt) => {
      const before = exprsOf(stmt).flatMap((e) => this.checksOf(e));
      const made = mapStmt(stmt, this.inside, (inner) => this.block(inner));
      const own = this.own[stmt.kind] as ((stmt: Stmt, before: readonly Stmt[]) => Stmt[]) | undefined;
      return [...before, ...(own?.(made, before) ?? (isAccess(made) ? this.access(made) : [made]))];
    });
  }

  /** Statements that evaluate an expression several times, or must not be followed. */
  private readonly own: {
    readonly [K in Stmt["kind"]]?: (stmt: Extract<Stmt, { kind: K }>, before: readonly Stmt[]) => Stmt[];
  } = {
    let: ({ role: _, ...stmt }) => [stmt],
    while: (stmt, before) => [{ ...stmt, body: [...stmt.body, ...before] }],
  };

  private access(stmt: AccessStmt): Stmt[] {
    if (spaceOf(stmt) !== "storage") return [stmt];
    const { reads, writes } = TRAITS[stmt.kind];
    const access = accessOf(stmt);
    if (reads) {
      const near = { ...stmt, index: this.near(access) };
      return [...this.checksOfRead(access), near, ...(writes ? this.mark(access) : [])];
    }
    const condition = this.isOutside(access);
    const otherwise = [stmt, ...this.mark(access)];
    const written: Stmt = { kind: "if", condition, then: [this.report(access, "writes")], otherwise };
    return stmt.kind === "atomic" ? [...this.unwritten(access), written] : [written];
  }

  /** The checks of what an expression loads. The operands of a choice, and of conditions that are joined, count where they are used. */
  private checksOf(e: Expr, condition?: Expr): Stmt[] {
    const under = (part: Expr, more?: Expr): Stmt[] =>
      this.checksOf(part, condition && more ? and(condition, more) : (condition ?? more));
    if (e.kind === "select") {
      const chosen = this.inside(e.condition);
      return [...under(e.condition), ...under(e.then, chosen), ...under(e.otherwise, unary("not", chosen))];
    }
    if (e.kind === "binary" && e.type === "bool" && (e.op === "and" || e.op === "or")) {
      const left = this.inside(e.left);
      return [...under(e.left), ...under(e.right, e.op === "and" ? left : unary("not", left))];
    }
    const parts = partsOf(e).flatMap((part) => under(part));
    if (e.kind !== "load" || e.space !== "storage") return parts;
    return [
      ...parts,
      ...this.checksOfRead({ array: e.array, index: this.inside(e.index), width: 1, condition }),
    ];
  }

  /** The expression with every load from an element inside. */
  private readonly inside = (e: Expr): Expr => {
    const made = mapParts(e, this.inside);
    if (made.kind !== "load" || made.space !== "storage") return made;
    return { ...made, index: this.near({ ...made, width: 1, condition: undefined }) };
  };

  private checksOfRead(access: Access): Stmt[] {
    const outside = this.isOutside(access);
    return [whereBoth(access.condition, outside, this.report(access, "reads")), ...this.unwritten(access)];
  }

  private unwritten(access: Access): Stmt[] {
    const marks = this.marksOf(access);
    if (!marks) return [];
    const { word, mask } = marks;
    const found = binary(
      "and",
      { kind: "load", space: "storage", array: this.written, index: word, type: "u32" },
      mask,
    );
    return [whereBoth(access.condition, ne(found, mask), this.report(access, "unwritten"))];
  }

  private mark(access: Access): Stmt[] {
    const marks = this.marksOf(access);
    if (!marks) return [];
    const { word: index, mask: value } = marks;
    return [{ kind: "atomic", op: "or", space: "storage", array: this.written, index, value }];
  }

  private marksOf(access: Access): { readonly word: Expr; readonly mask: Expr } | undefined {
    const { marks } = this.known(access);
    if (!marks) return undefined;
    const at = this.near(access);
    const word = add(marks, binary("shr", at, 5));
    return { word, mask: binary("shl", 2 ** access.width - 1, binary("and", at, BITS - 1)) };
  }

  private known({ array }: Pick<Access, "array">): Known {
    return this.arrays.get(array) as Known;
  }

  private isOutside(access: Access): Expr {
    const { length } = this.known(access);
    const isPast = binary("ge", access.index, length);
    return access.width === 1 ? isPast : binary("or", isPast, lt(sub(length, access.index), access.width));
  }

  /** The index, or that of an element inside. */
  private near(access: Access): Expr {
    return access.width === 1
      ? binary("min", access.index, sub(this.known(access).length, 1))
      : select(this.isOutside(access), 0, access.index);
  }

  private report({ array }: Access, problem: AccessCheck["problem"]): Stmt {
    const { kernel, checks } = this;
    const isThis = (one: AccessCheck): boolean =>
      one.kernel === kernel && one.array === array && one.problem === problem;
    if (!checks.some(isThis)) checks.push({ kernel, array, problem });
    const bit = this.firstBit + checks.findIndex(isThis);
    const index = u32(Math.floor(bit / BITS));
    const value = u32(2 ** (bit % BITS));
    return { kind: "atomic", op: "or", space: "storage", array: this.status, index, value };
  }
}

/** Whether nothing is in the array before the first kernel. */
const isEmptyAtFirst = ({ role, cleared, inPlace }: Buffer): boolean =>
  (role === "scratch" || role === "output") && !cleared && inPlace === undefined;

/** The marks of routines are left out: their statements must not depend on sizes from outside. */
const isPart = ({ kind }: Stmt): boolean => kind !== "routine" && kind !== "results";

const accessOf = (stmt: AccessStmt): Access => ({
  array: stmt.array,
  index: stmt.index,
  width: widthOf(stmt),
  condition: "condition" in stmt ? stmt.condition : undefined,
});

const whereBoth = (condition: Expr | undefined, problem: Expr, then: Stmt): Stmt => ({
  kind: "if",
  condition: condition ? and(condition, problem) : problem,
  then: [then],
  otherwise: [],
});
