/** A function of the Kernel IR, or a kernel, as a function of WebAssembly. */
import type { Scalar } from "@groupwise/core";
import {
  type BinaryExpr,
  type Expr,
  type ForStmt,
  type IfStmt,
  type LoadExpr,
  partsOf,
  type SelectExpr,
  type Space,
  type Stmt,
  type StoreStmt,
  walk,
} from "@groupwise/core/kernel";
import { decodeLiteral, errorOf, isFloat } from "@groupwise/core/target";
import {
  block,
  branch,
  get,
  IMPORTS,
  i32,
  i64,
  type Node,
  named,
  numeric,
  type Variable,
} from "../encode/tree.ts";
import { OWN } from "../print/own.ts";
import { NEAR } from "../print/places.ts";
import { Locals } from "./locals.ts";
import { bitcast, cast, INSTRUCTIONS, join, word, zero } from "./operators.ts";
import { type ElementForm, formIn, valueType } from "./types.ts";
import { storedVector, vectorCode } from "./vectors.ts";

/** Memory that all functions of a module share for their arrays. */
export class FrameBytes {
  bytes = 0;
  private unused: number | undefined;

  /** The offset of bytes that nothing reads. */
  get sink(): number {
    this.unused ??= this.take(8);
    return this.unused;
  }

  /** The offset of new bytes from the frame's first. */
  take(bytes: number): number {
    const at = this.bytes;
    this.bytes += Math.ceil(bytes / 8) * 8;
    return at;
  }
}

interface PrivateArray {
  readonly offset: number;
  readonly form: ElementForm;
}

/** The sum of a name that is never assigned and a small number. */
interface Shifted {
  readonly name: string;
  readonly by: number;
}
/** Bytes that are cleared by stores; more by one instruction, which takes longer for few. */
const FEW_BYTES = 64;
/** The most operations of a value that is computed even if it is not chosen. */
const CHEAP = 4;
/** Offsets that instructions have are below it. */
const END = 2 ** 32;

export class FunctionCode {
  readonly locals: Locals;
  private readonly frame: FrameBytes;
  private readonly arrays = new Map<string, PrivateArray>();
  private readonly shifted = new Map<string, Shifted>();
  /** Loops around the statement. */
  private depth = 0;

  constructor(params: readonly Variable[], frame: FrameBytes) {
    this.locals = new Locals(params);
    this.frame = frame;
  }

  /** Statements in order. */
  block(stmts: readonly Stmt[]): Node[] {
    return this.locals.inside(() =>
      stmts.flatMap((stmt) => (STMTS[stmt.kind] as (code: FunctionCode, stmt: Stmt) => Node[])(this, stmt)),
    );
  }

  expr(e: Expr): Node {
    if (e.width !== undefined && e.kind !== "var") return vectorCode(this, e);
    return (EXPRS[e.kind] as (code: FunctionCode, e: Expr) => Node)(this, e);
  }

  /** Gives a new name a value. */
  declare(name: string, { type, width }: Pick<Expr, "type" | "width">, value: Node): Node {
    this.shifted.delete(name);
    const local = this.locals.declare(name, width === undefined ? valueType(type) : "v128");
    return named("local.set", local, value);
  }

  /** Remembers that a name is another one plus a number. */
  remember(name: string, value: Expr): void {
    const sum = this.shiftOf(value);
    if (sum && sum.by > 0) this.shifted.set(name, sum);
  }

  /** The sum that an index is. */
  private shiftOf(e: Expr): Shifted | undefined {
    if (e.kind === "var") return this.shifted.get(e.name) ?? { name: e.name, by: 0 };
    if (e.kind !== "binary" || e.op !== "add" || e.right.kind !== "const") return undefined;
    const by = Number(e.right.value);
    const of = this.shiftOf(e.left);
    return of && of.by + by < NEAR ? { name: of.name, by: of.by + by } : undefined;
  }

  /** An operand that is read twice: a tee for the first time, and a get for later ones. */
  twice<T>(e: Expr, use: (first: Node, again: Node) => T): T {
    const value = this.expr(e);
    if (value.kind === "const" || (value.kind === "named" && value.op === "local.get"))
      return use(value, value);
    const type = valueType(e.type);
    const local = this.locals.hold(type);
    const made = use(named("local.tee", local, value), get(local));
    this.locals.release(local, type);
    return made;
  }

  /** The address of an element, and what is added to it. An index past all memory, which no item reaches, wraps. */
  place(space: Space, array: string, index: Expr, form: ElementForm): { address: Node; offset: number } {
    const own = space === "private" ? this.arrays.get(array) : undefined;
    const base = own ? named("global.get", IMPORTS.frame) : get(this.locals.of(array));
    const first = own?.offset ?? 0;
    const fixed = index.kind === "const" ? first + Number(index.value) * 2 ** form.log : END;
    if (fixed < END) return { address: base, offset: fixed };
    const sum = this.shiftOf(index);
    const at = sum ? get(this.locals.of(sum.name)) : this.expr(index);
    const bytes = form.log === 0 ? at : numeric("i32.shl", at, i32(form.log));
    return { address: numeric("i32.add", base, bytes), offset: first + (sum?.by ?? 0) * 2 ** form.log };
  }

  load(e: LoadExpr): Node {
    const form = this.formOf(e.space, e.array, e.memory ?? e.type);
    const { address, offset } = this.place(e.space, e.array, e.index, form);
    const loaded: Node = { kind: "access", op: form.load, offset, operands: [address] };
    return e.type === "bool" && e.space !== "private" ? numeric("i32.ne", loaded, i32(0)) : loaded;
  }

  formOf(space: Space, array: string, memory: Parameters<typeof formIn>[0]): ElementForm {
    return (space === "private" ? this.arrays.get(array)?.form : undefined) ?? formIn(memory);
  }

  store(
    { space, array, index }: Pick<LoadExpr, "space" | "array" | "index">,
    form: ElementForm,
    value: Node,
  ): Node {
    const { address, offset } = this.place(space, array, index, form);
    return { kind: "access", op: form.store, offset, operands: [address, value] };
  }

  /** An array of zeros. */
  array(name: string, type: Scalar, length: number): Node[] {
    const form = formIn(type);
    const bytes = length * 2 ** form.log;
    const offset = this.frame.take(bytes);
    this.arrays.set(name, { offset, form });
    const base = named("global.get", IMPORTS.frame);
    if (bytes > FEW_BYTES)
      return [numeric("memory.fill", numeric("i32.add", base, i32(offset)), i32(0), i32(bytes))];
    return Array.from({ length: Math.ceil(bytes / 8) }, (_, i) => ({
      kind: "access",
      op: "i64.store",
      offset: offset + 8 * i,
      operands: [base, i64(0n)],
    }));
  }

  binary({ op, left, right, type }: BinaryExpr): Node {
    const instruction = INSTRUCTIONS[op as keyof typeof INSTRUCTIONS];
    if (!instruction) throw errorOf("bad-kernel", { reason: `the language has no ${op}` });
    if ((op === "min" || op === "max") && !isFloat(type)) return this.extremum(op, left, right);
    const isShift = op === "shl" || op === "shr";
    if (type === "bool" && left.type === "bool" && (op === "and" || op === "or") && !isCheap(right)) {
      const [yes, no] = op === "and" ? [this.expr(right), i32(0)] : [i32(1), this.expr(right)];
      return { kind: "if", result: "i32", condition: this.expr(left), then: [yes], otherwise: [no] };
    }
    const amount = this.expr(right);
    const by = isShift && valueType(left.type) === "i64" ? cast(amount, right.type, "u64") : amount;
    return numeric(instruction(left.type), this.expr(left), by);
  }

  private extremum(op: "min" | "max", left: Expr, right: Expr): Node {
    const order = INSTRUCTIONS[op === "min" ? "lt" : "gt"](left.type);
    return this.twice(left, (a, a2) =>
      this.twice(right, (b, b2) => numeric("select", a, b, numeric(order, a2, b2))),
    );
  }

  magnitude(of: Expr): Node {
    const type = valueType(of.type);
    if (isFloat(of.type)) return numeric(`${type}.abs`, this.expr(of));
    const least = zero(of.type);
    return this.twice(of, (x, again) =>
      numeric("select", x, numeric(`${type}.sub`, least, again), numeric(`${type}.ge_s`, again, least)),
    );
  }

  select({ condition, then, otherwise, type }: SelectExpr): Node {
    const [yes, no, chosen] = [then, otherwise, condition].map((e) => this.expr(e)) as [Node, Node, Node];
    if (isCheap(then) && isCheap(otherwise)) return numeric("select", yes, no, chosen);
    return { kind: "if", result: valueType(type), condition: chosen, then: [yes], otherwise: [no] };
  }

  if({ condition, then, otherwise }: IfStmt): Node[] {
    const chosen = this.expr(condition);
    const [first, ...others] = then;
    const isAlone = first?.kind === "store" && others.length === 0 && otherwise.length === 0;
    // At a place that is computed: the offset of another may be larger than the address of unused bytes.
    const isComputed = isAlone && first.space === "storage" && first.index.kind !== "const";
    if (this.depth > 0 && isComputed && isCheap(first.value) && isCheap(first.index))
      return [this.storeIf(chosen, first)];
    return [{ kind: "if", condition: chosen, then: this.block(then), otherwise: this.block(otherwise) }];
  }

  /** A store that goes to unused bytes if it is not wanted: no branch, which costs several stores where the condition is hard to predict. */
  private storeIf(condition: Node, s: StoreStmt): Node {
    const form = this.formOf(s.space, s.array, s.memory ?? s.value.type);
    const { address, offset } = this.place(s.space, s.array, s.index, form);
    const frame = named("global.get", IMPORTS.frame);
    const by = this.frame.sink - offset;
    const sink = by === 0 ? frame : numeric("i32.add", frame, i32(by));
    const chosen = numeric("select", address, sink, condition);
    return { kind: "access", op: form.store, offset, operands: [chosen, this.expr(s.value)] };
  }

  /** A loop that tests at its end, and once before it. */
  for(stmt: ForStmt): Node[] {
    const { name, from, below, step, body } = stmt;
    return this.locals.inside(() => {
      const start = this.declare(name, { type: "u32" }, this.expr(from));
      const variable = this.locals.of(name);
      const end = this.expr(below);
      const isOnce = end.kind === "numeric" && isFixed(below, body);
      const limit = isOnce ? this.locals.hold("i32") : undefined;
      const before = limit === undefined ? [] : [named("local.set", limit, end)];
      const isBelow = numeric("i32.lt_u", get(variable), limit === undefined ? end : get(limit));
      this.depth++;
      const inner = this.block(body);
      this.depth--;
      if (limit !== undefined) this.locals.release(limit, "i32");
      const next = named("local.set", variable, numeric("i32.add", get(variable), i32(step)));
      const loop = block("loop", "next", ...inner, next, branch("br_if", "next", isBelow));
      return [start, ...before, { kind: "if", condition: isBelow, then: [loop], otherwise: [] }];
    });
  }
}

/** Whether no round of a loop changes a value. */
function isFixed(e: Expr, body: readonly Stmt[]): boolean {
  const changed = new Set(walk(body).flatMap((s) => (s.kind === "assign" ? [s.name] : [])));
  const within = (one: Expr): boolean =>
    one.kind !== "load" && !(one.kind === "var" && changed.has(one.name)) && partsOf(one).every(within);
  return within(e);
}

/** Whether a value may be computed where it is not needed. */
function isCheap(e: Expr): boolean {
  let size = 0;
  const within = (one: Expr): boolean => {
    if (one.kind === "load" || one.kind === "call") return false;
    if (one.kind === "binary" && (one.op === "div" || one.op === "rem")) return false;
    size++;
    return partsOf(one).every(within);
  };
  return within(e) && size <= CHEAP;
}

type ExprOf<K extends Expr["kind"]> = Extract<Expr, { kind: K }>;
const EXPRS: { readonly [K in Expr["kind"]]: (code: FunctionCode, e: ExprOf<K>) => Node } = {
  const: (_, { type, value }) => {
    const decoded = decodeLiteral(type, value);
    const target = valueType(type);
    if (target === "i64") return i64(BigInt(decoded as bigint));
    return target === "i32"
      ? i32(Number(decoded))
      : { kind: "const", type: target, value: decoded as number };
  },
  var: (code, { name }) => get(code.locals.of(name)),
  param: (code, { name }) => get(code.locals.of(name)),
  // A sequential kernel has no ids.
  builtin: () => i32(0),
  load: (code, e) => code.load(e),
  unary: (code, { op, of, type }) => {
    const target = valueType(type);
    if (op === "abs") return code.magnitude(of);
    const x = code.expr(of);
    if (op === "neg")
      return isFloat(type) ? numeric(`${target}.neg`, x) : numeric(`${target}.sub`, zero(type), x);
    if (op !== "not") return numeric(`${target}.${op === "clz" ? "clz" : "popcnt"}`, x);
    if (type === "bool") return numeric("i32.eqz", x);
    return numeric(`${target}.xor`, x, target === "i64" ? i64(-1n) : i32(-1));
  },
  binary: (code, e) => code.binary(e),
  select: (code, e) => code.select(e),
  cast: (code, { of, type }) => cast(code.expr(of), of.type, type),
  bitcast: (code, { of, type }) => bitcast(code.expr(of), of.type, type),
  word: (code, { of, index }) => word(code.expr(of), index, of.type),
  join: (code, { words, type }) => join(words.map((e) => code.expr(e)) as unknown as [Node, Node], type),
  call: (code, { fn, args }) => {
    const [own, operands] = [OWN.get(fn), args.map((e) => code.expr(e))];
    return own === undefined ? named("call", fn, ...operands) : numeric(own, ...operands);
  },
  permute: (code, e) => vectorCode(code, e),
  bits: (code, e) => vectorCode(code, e),
  part: (code, { of, index }) => get(code.locals.of(partName(of, index))),
};

const partName = (name: string, index: number): string => `${name}.part${index}`;

function lacking(what: string): never {
  throw errorOf("bad-kernel", { reason: `the language has no ${what}` });
}

type StmtOf<K extends Stmt["kind"]> = Extract<Stmt, { kind: K }>;
const STMTS: { readonly [K in Stmt["kind"]]: (code: FunctionCode, stmt: StmtOf<K>) => Node[] } = {
  comment: (_, { text }) => [{ kind: "comment", text }],
  let: (code, { name, value }) => {
    const set = code.declare(name, value, code.expr(value));
    code.remember(name, value);
    return [set];
  },
  var: (code, { name, value }) => [code.declare(name, value, code.expr(value))],
  assign: (code, { name, value }) => [named("local.set", code.locals.of(name), code.expr(value))],
  array: (code, { name, type, length }) => code.array(name, type, length),
  store: (code, s) => {
    const form = code.formOf(s.space, s.array, s.memory ?? s.value.type);
    if (s.value.width === undefined) return [code.store(s, form, code.expr(s.value))];
    const { store, value } = storedVector(code, s);
    return [code.store(s, { ...form, store }, value)];
  },
  // One thread: nothing else writes the element.
  atomic: (code, { op, space, array, index, value }) => {
    const left: Expr = { kind: "load", space, array, index, type: value.type };
    const combined = code.binary({ kind: "binary", op, left, right: value, type: value.type });
    return [code.store({ space, array, index }, formIn(value.type), combined)];
  },
  barrier: () => [],
  intrinsic: () => lacking("subgroups"),
  "atomic-load": () => lacking("device memory"),
  "atomic-load-row": () => lacking("rows"),
  "atomic-store": () => lacking("device memory"),
  "atomic-add": () => lacking("device memory"),
  prefetch: () => [],
  "load-row": () => lacking("rows"),
  "store-row": () => lacking("rows"),
  "uniform-load": () => lacking("work-groups"),
  native: () => lacking("functions of work-groups"),
  choice: () => lacking("functions of work-groups"),
  if: (code, s) => code.if(s),
  for: (code, s) => code.for(s),
  while: (code, { condition, body }) => {
    const goes = code.expr(condition);
    const inner = code.block(body);
    const loop = block("loop", "next", ...inner, branch("br_if", "next", goes));
    return [{ kind: "if", condition: goes, then: [loop], otherwise: [] }];
  },
  call: (code, { name, fn, args, type, width }) => {
    const call = named("call", fn, ...args.map((e) => code.expr(e)));
    const results = Array.from({ length: width }, (_, i) =>
      code.locals.declare(partName(name, i), valueType(type)),
    );
    // The last result is on top of the stack.
    return [call, ...results.reverse().map((local) => named("local.set", local))];
  },
  routine: () => [],
  results: () => [],
  return: (code, { values }) => [numeric("return", ...values.map((e) => code.expr(e)))],
};
