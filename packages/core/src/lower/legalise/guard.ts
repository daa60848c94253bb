/**
 * Keeps a compiler from merging float operations, for languages that let it: WGSL allows it to regroup sums and
 * products, to fuse a product into a sum, to drop the sign of a zero, and to suppose that there is no NaN and no
 * infinity (WGSL, "Floating Point Evaluation": reassociation and fusion, differences from IEEE 754).
 *
 * The rule: whatever an operation that rounds reads is a value that the compiler knows nothing about. A value
 * that memory, a parameter or another work-item gives is such a value. What an expression computes becomes one by a
 * detour through its bits, to which a launch parameter is added that is always 0. No guard stands where the result
 * goes to memory or is read as bits alone. See docs/decisions/contraction.md.
 */
import {
  add,
  binary,
  bitcast,
  call,
  type Expr,
  join,
  mapParts,
  param,
  partsOf,
  word,
} from "../../kernel/expr.ts";
import { exprsOf, type Fn, mapStmt, type Stmt, walk } from "../../kernel/stmt.ts";
import { decodeLiteral } from "../../literal.ts";
import type { Scalar } from "../../scalar.ts";

/** Floats that a compiler may take liberties with; a native f64 is IEEE 754 wherever it exists. */
const isShort = ({ type }: Expr): boolean => type === "f32" || type === "f16";

/** The operators that round. Minima, maxima and signs are made of bits. */
const ROUNDING: ReadonlySet<string> = new Set(["add", "sub", "mul", "div", "rem"]);
const isRounding = (e: Expr): e is Extract<Expr, { kind: "binary" }> =>
  e.kind === "binary" && isShort(e) && ROUNDING.has(e.op);
/** A conversion between floats is an operation too: f32(a * b) of halves could be computed without rounding a * b. */
const widens = (e: Expr): e is Extract<Expr, { kind: "cast" }> =>
  e.kind === "cast" && isShort(e) && isShort(e.of);

const guardName = (kind: "rounded" | "apart", type: Scalar): string => `${kind}_${type}`;
const bitsOf = (e: Expr): Expr => (e.type === "f16" ? word(0, e) : bitcast("u32", e));
const floatOf = (type: Scalar, bits: Expr): Expr =>
  type === "f16" ? join("f16", [bits]) : bitcast(type, bits);

/**
 * The functions that a guarded module calls: `rounded` adds the zero, `apart` flips no bits by it, so that a compiler
 * cannot take the two for one value: of `rounded(x) - rounded(x)` it could, and x - x is no 0 for an infinity.
 */
export const guardFunctions = (zero: string): readonly Fn[] =>
  (["f32", "f16"] as const).flatMap((type) => {
    const x: Expr = { kind: "var", name: "x", type };
    const fn = (kind: "rounded" | "apart", doc: string, bits: Expr): Fn => ({
      name: guardName(kind, type),
      doc,
      params: [{ name: "x", type }],
      returns: type,
      width: 1,
      body: [{ kind: "return", values: [floatOf(type, bits)] }],
    });
    const none = param(zero, "u32");
    return [
      fn(
        "rounded",
        `x. A compiler cannot merge the operation that gave it with the next.`,
        add(bitsOf(x), none),
      ),
      fn("apart", `x. A compiler cannot cancel it against an equal value.`, binary("xor", bitsOf(x), none)),
    ];
  });

const guarded = (kind: "rounded" | "apart", e: Expr): Expr => call(guardName(kind, e.type), e.type, [e]);

/** Where a value goes: into an operation that rounds, to other work-items, or into a name. */
const OPERATION = "an operation";
const OTHERS = "other work-items";

/** Names of variables and arrays, and where the value of each goes. No name has a space in it. */
class Flow {
  private readonly sources = new Map<string, string[]>();
  private readonly targets = new Map<string, string[]>();
  private readonly computed: string[] = [];
  private readonly arrays = new Set<string>();

  constructor(body: readonly Stmt[]) {
    for (const stmt of walk(body)) {
      const target = targetOf(stmt);
      if (stmt.kind === "load-row") this.goes(stmt.array, stmt.name);
      if ("array" in stmt) this.arrays.add(stmt.array);
      for (const e of exprsOf(stmt)) {
        if (isShort(e) && target !== undefined && !isUnknown(e)) this.computed.push(target);
        this.visit(e, isShort(e) ? target : undefined);
      }
    }
  }

  /** Names of which an operation reads the value, directly or through others. */
  operands(): ReadonlySet<string> {
    return reachable(this.sources, [OPERATION]);
  }

  /**
   * Of the operands, the variables whose value goes to other work-items too. It goes there as it is, so that they need not wait for
   * the guard, which stands where an operation reads the variable.
   */
  late(operands: ReadonlySet<string>): ReadonlySet<string> {
    const shown = reachable(this.sources, [OTHERS]);
    const isLate = (name: string): boolean => operands.has(name) && shown.has(name) && !this.arrays.has(name);
    return reachable(this.targets, this.computed, isLate);
  }

  private goes(name: string, sink: string): void {
    for (const [map, key, value] of [
      [this.sources, sink, name],
      [this.targets, name, sink],
    ] as const) {
      const known = map.get(key);
      if (known) known.push(value);
      else map.set(key, [value]);
    }
  }

  /** @param sink what the float's value becomes a part of; bits alone where it is not given */
  private visit(e: Expr, sink: string | undefined): void {
    const name = nameOf(e);
    if (name !== undefined && sink !== undefined && isShort(e)) this.goes(name, sink);
    const inner = isRounding(e) || widens(e) ? OPERATION : isShort(e) ? sink : undefined;
    for (const part of partsOf(e)) this.visit(part, isShort(part) ? inner : undefined);
  }
}

/** What edges lead to from the beginnings, of what is wanted. */
function reachable(
  edges: ReadonlyMap<string, readonly string[]>,
  from: readonly string[],
  wanted: (name: string) => boolean = () => true,
): ReadonlySet<string> {
  const found = new Set<string>(from.filter(wanted));
  // Also what is added meanwhile is visited.
  for (const name of found) for (const next of edges.get(name) ?? []) if (wanted(next)) found.add(next);
  return found;
}

/** The variable or array of a work-item's own that an expression reads, or the array of device memory. */
function nameOf(e: Expr): string | undefined {
  if (e.kind === "var") return e.name;
  if (e.kind === "part") return e.of;
  return e.kind === "load" && e.space !== "work-group" ? e.array : undefined;
}

/** What a statement writes a value into. */
function targetOf(stmt: Stmt): string | undefined {
  if (stmt.kind === "exchange" || stmt.kind === "shuffle" || stmt.kind === "native") return OTHERS;
  if (stmt.kind === "store") return stmt.space === "work-group" ? OTHERS : stmt.array;
  if (stmt.kind === "store-row") return stmt.array;
  return stmt.kind === "let" || stmt.kind === "var" || stmt.kind === "assign" ? stmt.name : undefined;
}

/** Values that only memory, a launch or another work-item knows, and constants that no rule of numbers applies to. */
function isUnknown(e: Expr, late: ReadonlySet<string> = NONE): boolean {
  if (e.kind === "const") return isPlain(e);
  if (e.kind === "select") return isUnknown(e.then, late) && isUnknown(e.otherwise, late);
  // What integers make, as a rounded half: there is no float operation to merge with.
  if (e.kind === "bitcast" || e.kind === "join") return partsOf(e).every((part) => part.kind === "call");
  if (e.kind === "var") return !late.has(e.name);
  return e.kind === "param" || e.kind === "part" || e.kind === "load";
}
const NONE: ReadonlySet<string> = new Set();

const LEAST_NORMAL = { f16: 2 ** -14, f32: 2 ** -126 } as const;
/** x + 0, x * 0 and what holds a NaN or an infinity could be folded wrongly; other constants fold exactly or not at all. */
function isPlain({ type, value }: Extract<Expr, { kind: "const" }>): boolean {
  const magnitude = Math.abs(Number(decodeLiteral(type, value)));
  return magnitude >= LEAST_NORMAL[type as "f32"] && magnitude < Number.POSITIVE_INFINITY;
}

/** A kernel's statements with a guard wherever the rule asks for one. */
export function guardRounding(body: readonly Stmt[]): readonly Stmt[] {
  const flow = new Flow(body);
  const operands = flow.operands();
  const late = flow.late(operands);
  const inside = (e: Expr): Expr => {
    if (isRounding(e)) {
      const right = e.op === "sub" ? subtrahend(e.left, e.right) : operand(e.right);
      return { ...e, left: operand(e.left), right };
    }
    return mapParts(e, widens(e) ? operand : inside);
  };
  const operand = (e: Expr): Expr => (isUnknown(e, late) ? inside(e) : guarded("rounded", inside(e)));
  const subtrahend = (left: Expr, right: Expr): Expr => {
    const unlike = left.kind === "const" || right.kind === "const";
    return unlike && isUnknown(right, late) ? operand(right) : guarded("apart", inside(right));
  };
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.map((stmt) => {
      const target = targetOf(stmt) ?? OTHERS;
      const guards = operands.has(target) && !late.has(target);
      return mapStmt(stmt, (e) => (guards && isShort(e) ? operand(e) : inside(e)), block);
    });
  return block(body);
}
