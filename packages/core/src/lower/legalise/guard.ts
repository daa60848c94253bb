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
import { add, call, type Expr, mapParts, type ParamExpr, partsOf } from "../../kernel/expr.ts";
import { exprsOf, type Fn, mapStmt, type Stmt, walk } from "../../kernel/stmt.ts";
import { decodeLiteral } from "../../literal.ts";
import type { Scalar } from "../../scalar.ts";
import { bitsOf, floatOf, isShort, LEAST_NORMAL } from "./short.ts";

/** The operators that round. Minima, maxima and signs are made of bits. */
const ROUNDING: ReadonlySet<string> = new Set(["add", "sub", "mul", "div", "rem"]);
const isRounding = (e: Expr): e is Extract<Expr, { kind: "binary" }> =>
  e.kind === "binary" && isShort(e) && ROUNDING.has(e.op);
/** A conversion between floats is an operation too: f32(a * b) of halves could be computed without rounding a * b. */
const widens = (e: Expr): e is Extract<Expr, { kind: "cast" }> =>
  e.kind === "cast" && isShort(e) && isShort(e.of);

const guardName = (kind: "rounded" | "apart", type: Scalar): string => `${kind}_${type}`;

/** Both take the launch parameter that is always 0: functions of some languages see none. */
const guardFunction = (kind: "rounded" | "apart", type: Scalar, doc: string, twice: boolean): Fn => {
  const x: Expr = { kind: "var", name: "x", type };
  const zero: Expr = { kind: "var", name: "zero", type: "u32" };
  const once = add(bitsOf(x), zero);
  return {
    name: guardName(kind, type),
    doc,
    params: [
      { name: "x", type },
      { name: "zero", type: "u32" },
    ],
    returns: type,
    width: 1,
    body: [{ kind: "return", values: [floatOf(type, twice ? add(once, zero) : once)] }],
  };
};

/**
 * The functions that a guarded module calls. A compiler could take `rounded(x)` and `rounded(x)` for one value and their
 * difference for 0, which it is not for an infinity: `apart` adds the zero once more than what it stands against. An
 * exclusive or would not do: it undoes a sum that only changes the sign bit, as in -0 + zero.
 */
export const GUARD_FUNCTIONS: readonly Fn[] = (["f32", "f16"] as const).flatMap((type) => [
  guardFunction(
    "rounded",
    type,
    "x. A compiler cannot merge the operation that gave it with the next.",
    false,
  ),
  guardFunction("apart", type, "x. A compiler cannot cancel it against an equal value.", true),
]);

/** Where values go that an operation reads. No name has a space in it. */
const OPERATION = "an operation";

/** Names of variables and arrays of which an operation reads the value, directly or through others. */
function operandsOf(body: readonly Stmt[]): ReadonlySet<string> {
  const sources = new Map<string, string[]>();
  const goes = (name: string, sink: string): void => {
    const known = sources.get(sink);
    if (known) known.push(name);
    else sources.set(sink, [name]);
  };
  /** @param sink what the float's value becomes a part of; bits alone where it is not given */
  const visit = (e: Expr, sink: string | undefined): void => {
    const name = nameOf(e);
    if (name !== undefined && sink !== undefined && isShort(e)) goes(name, sink);
    const inner = isRounding(e) || widens(e) ? OPERATION : isShort(e) ? sink : undefined;
    for (const part of partsOf(e)) visit(part, isShort(part) ? inner : undefined);
  };
  for (const stmt of walk(body)) {
    if (stmt.kind === "load-row") goes(stmt.array, stmt.name);
    for (const e of exprsOf(stmt)) visit(e, isShort(e) ? targetOf(stmt) : undefined);
  }
  const found = new Set<string>(sources.get(OPERATION));
  // Also what is added meanwhile is visited.
  for (const name of found) for (const source of sources.get(name) ?? []) found.add(source);
  return found;
}

/** The variable or array of a work-item's own that an expression reads, or the array of device memory. */
function nameOf(e: Expr): string | undefined {
  if (e.kind === "var") return e.name;
  if (e.kind === "part") return e.of;
  return e.kind === "load" && e.space !== "work-group" ? e.array : undefined;
}

/** What a statement writes a value into; nothing where it goes to other work-items. */
function targetOf(stmt: Stmt): string | undefined {
  if (stmt.kind === "store") return stmt.space === "work-group" ? undefined : stmt.array;
  if (stmt.kind === "store-row") return stmt.array;
  return stmt.kind === "let" || stmt.kind === "var" || stmt.kind === "assign" ? stmt.name : undefined;
}

/**
 * Values that only memory, a launch or another work-item knows, and constants that no rule of numbers applies to. What integers
 * make is none: of `k & 0` a compiler knows the value.
 */
function isUnknown(e: Expr): boolean {
  if (e.kind === "const") return isPlain(e);
  if (e.kind === "select") return isUnknown(e.then) && isUnknown(e.otherwise);
  return e.kind === "param" || e.kind === "var" || e.kind === "part" || e.kind === "load";
}

/** The constant -0, which no literal holds. */
function isMinusZero(e: Expr): boolean {
  const [bits] = e.kind === "call" && e.fn === `${e.type}_of_bits` ? e.args : [];
  return bits?.kind === "const" && bits.value === (e.type === "f16" ? 0x8000 : 0x80000000);
}

/** x + 0, x * 0 and what holds a NaN or an infinity could be folded wrongly; other constants fold exactly or not at all. */
function isPlain({ type, value }: Extract<Expr, { kind: "const" }>): boolean {
  const magnitude = Math.abs(Number(decodeLiteral(type, value)));
  return magnitude >= LEAST_NORMAL[type as "f32"] && magnitude < Number.POSITIVE_INFINITY;
}

/**
 * A kernel's statements with a guard wherever the rule asks for one.
 * @param param a launch parameter that is always 0, a u32
 * @param hint a name for what the kernel reads it into, which nothing else of the module has
 */
export function guardRounding(body: readonly Stmt[], param: ParamExpr, hint: string): readonly Stmt[] {
  const operands = operandsOf(body);
  // Read once: some compilers read a parameter again at each use.
  const zero: Expr = { kind: "var", name: freeName(hint, body), type: "u32" };
  let used = false;
  const guarded = (kind: "rounded" | "apart", e: Expr): Expr => {
    used = true;
    return call(guardName(kind, e.type), e.type, [e, zero]);
  };
  const inside = (e: Expr): Expr => {
    if (isRounding(e)) {
      const right = e.op === "sub" ? subtrahend(e.left, e.right) : operand(e.right);
      return { ...e, left: operand(e.left), right };
    }
    if (e.kind === "select")
      return { ...e, condition: inside(e.condition), then: arm(e.then), otherwise: arm(e.otherwise) };
    return mapParts(e, widens(e) ? operand : inside);
  };
  // Mesa takes a choice between 1 and -0 for a conversion of the condition, which gives no -0.
  const arm = (e: Expr): Expr => (isMinusZero(e) ? guarded("rounded", e) : inside(e));
  const operand = (e: Expr): Expr => (isUnknown(e) ? inside(e) : guarded("rounded", inside(e)));
  const subtrahend = (left: Expr, right: Expr): Expr => {
    const unlike = left.kind === "const" || right.kind === "const";
    return unlike && isUnknown(right) ? operand(right) : guarded("apart", inside(right));
  };
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.map((stmt) => {
      const target = targetOf(stmt);
      const guards = target !== undefined && operands.has(target);
      return mapStmt(stmt, (e) => (guards && isShort(e) ? operand(e) : inside(e)), block);
    });
  const done = block(body);
  return used ? [{ kind: "let", name: zero.name, value: param }, ...done] : done;
}

/** A name that no statement gives to anything. */
function freeName(hint: string, body: readonly Stmt[]): string {
  const taken = new Set([...walk(body)].flatMap((stmt) => ("name" in stmt ? [stmt.name] : [])));
  let name = hint;
  for (let i = 2; taken.has(name); i++) name = `${hint}_${i}`;
  return name;
}
