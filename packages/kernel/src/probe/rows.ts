/**
 * Everything that emitted text takes from a language as exact, one row each. A row is an expression in the Kernel IR: passes give it the form that
 * it has in kernels, and the tables of meaning give the result that a device must have.
 */
import { BIT_FUNCTIONS, NUMERIC_FUNCTIONS, ROUNDING_FUNCTIONS } from "@groupwise/ir/functions/float.js";
import { INTEGER_FUNCTIONS } from "@groupwise/ir/functions/integer.js";
import { isOn as isOfType, resolved } from "@groupwise/ir/functions/spec.js";
import { bitcastValue, castValue } from "@groupwise/ir/tables/convert-value.js";
import { BINARY, type BinaryOp, UNARY, type UnaryOp } from "@groupwise/ir/tables/expr-op.js";
import {
  isFloat,
  SCALAR_NAMES,
  SCALARS,
  type Scalar,
  type ScalarValue,
} from "@groupwise/ir/tables/scalar.js";
import type { ConstExpr, Expr, SharedSpace } from "../language/expr.ts";
import { foldWith, valueFrom } from "../language/fold-expr.ts";
import {
  add,
  and,
  binary,
  bitcast,
  call,
  cast,
  constant,
  mul,
  select,
  sub,
  unary,
  zeroOf,
} from "../language/make-expr.ts";
import type { AtomicOp } from "../language/stmt.ts";
import { bodyName } from "../library/functions/format.ts";
import { isNormal, operandsOf, type ProbeOperands } from "./operands.ts";
import type { Remedy } from "./remedies.ts";

type Make = (a: Expr, b: Expr, c: Expr) => Expr;

/** What work-items do to elements that they share: an operator, or what additions return, or words that are stored and loaded, alone or in vectors. */
interface AtomicUse {
  readonly space: SharedSpace;
  readonly use: AtomicOp | "ticket" | "word" | "word-of-2" | "word-of-4";
}

/** What a device must compute exactly. */
export interface ProbeRow {
  /** `i32 div`: a type and what is done with it. */
  readonly id: string;
  /** The type of the operands. */
  readonly type: Scalar;
  readonly result: Scalar;
  /** The expression, or what work-items do to elements that they share. */
  readonly of: Make | AtomicUse;
  /** The operations of a module that rely on it: see `uses.ts`. */
  readonly keys: readonly string[];
  /** What stands for it, in the order in which it is tried; if nothing does, a device that fails is refused. */
  readonly remedies: readonly Remedy[];
  /** The remedy with which another row has the same form. */
  readonly unless?: Remedy;
  /** In a kernel without the others: how a compiler treats it depends on what else the kernel has. */
  readonly apart?: true;
  /** By work-item; undefined where the row says nothing. Atomics have theirs in `atomics.ts`, which emitting needs not. */
  readonly exact?: () => readonly (ScalarValue | undefined)[];
}
/** A row of atomics. */
export type AtomicRow = ProbeRow & { readonly of: AtomicUse };

const variable = (name: string, type: Scalar): Expr => ({ kind: "var", name, type });
/** The expression on operands of the type. */
export const madeOf = (make: Make, type: Scalar): Expr =>
  make(variable("a", type), variable("b", type), variable("c", type));

/** What stands for any operation of a type, and for conversions to it. */
const TYPES: Readonly<Record<Scalar, readonly Remedy[]>> = {
  ...{ i32: [], u32: [], f32: [], bool: [] },
  ...{ i64: ["emulated-i64"], u64: ["emulated-i64"], f16: ["emulated-f16"], f64: ["emulated-f64"] },
};

interface Given {
  readonly id: string;
  readonly type: Scalar;
  readonly make: Make;
  readonly keys?: readonly string[];
  readonly remedies?: readonly Remedy[];
  readonly unless?: Remedy | undefined;
  readonly apart?: true;
  /** Whether the row has results for operands; default: all. */
  readonly covers?: (operands: ProbeOperands, result: ScalarValue) => boolean;
  readonly apply?: (operands: ProbeOperands) => ScalarValue;
}

const folded = (expr: Expr, type: Scalar, operands: ProbeOperands): ScalarValue => {
  const known = new Map(["a", "b", "c"].map((name, i) => [name, constant(type, operands[i] as ScalarValue)]));
  return valueFrom(foldWith(expr, known) as ConstExpr);
};

function row(given: Given): ProbeRow {
  const { id, type, make, keys = [id], remedies = [], unless, apart, covers = () => true, apply } = given;
  const expr = madeOf(make, type);
  let known: readonly (ScalarValue | undefined)[] | undefined;
  const exact = (): readonly (ScalarValue | undefined)[] =>
    operandsOf(type).map((operands) => {
      const value = apply ? apply(operands) : folded(expr, type, operands);
      return covers(operands, value) ? value : undefined;
    });
  const types = new Set([...TYPES[type], ...TYPES[expr.type]]);
  return {
    ...{ id, type, keys, of: make, result: expr.type },
    remedies: [...remedies, ...types],
    ...(unless && { unless }),
    ...(apart && { apart }),
    exact: () => (known ??= exact()),
  };
}

const isNumber = (type: Scalar): boolean => type !== "bool";
const isShift = (op: BinaryOp): boolean => BINARY[op].rightType !== undefined;
/** An operand as an amount, or a place of a bit. */
const amount = (x: Expr): Expr => cast("u32", x);
/** Composed of others, which are rows. */
const COMPOSED: ReadonlySet<string> = new Set(["absdiff", "gcd"]);
/** The device's own operations, also where functions compute what it may flush: these functions use them too. */
function native(e: Expr): Expr {
  if (e.kind !== "binary" || !isFloat(e.type)) return e;
  return { ...e, left: native(e.left), right: native(e.right), normal: true };
}
const ROUNDED: ReadonlySet<string> = new Set(["add", "sub", "mul"]);

const COMPARED: readonly Remedy[] = ["float-compare"];
const OF_FLOATS: Readonly<Partial<Record<BinaryOp, readonly Remedy[]>>> = {
  ...{ min: ["float-min-max"], max: ["float-min-max"] },
  ...{ eq: COMPARED, ne: COMPARED, lt: COMPARED, le: COMPARED, gt: COMPARED, ge: COMPARED },
};
const OF_INTEGERS: Readonly<Partial<Record<BinaryOp, readonly Remedy[]>>> = {
  ...{ div: ["int-divide"], rem: ["int-divide", "int-remainder"] },
};
const DIVIDED: Readonly<Partial<Record<Scalar, readonly Remedy[]>>> = {
  ...{ f32: ["float-divide"], f16: ["half-divide"] },
};
const remediesOf = (op: BinaryOp, type: Scalar): readonly Remedy[] =>
  (isFloat(type) ? (op === "div" ? DIVIDED[type] : OF_FLOATS[op]) : OF_INTEGERS[op]) ?? [];

const areNormal = ({ 0: a, 1: b }: ProbeOperands, result: ScalarValue, type: Scalar): boolean =>
  [a, b, result].every((x) => isNormal(type, x));
const NAMES = Object.keys(BINARY) as readonly BinaryOp[];

const operators = (type: Scalar): readonly ProbeRow[] =>
  NAMES.filter((op) => isOfType(BINARY[op], type) && !COMPOSED.has(op)).map((op) => {
    const isRounded = isFloat(type) && ROUNDED.has(op);
    const made: Make = (a, b) => binary(op, a, isShift(op) ? amount(b) : b);
    const make: Make = isRounded ? (a, b, c) => native(made(a, b, c)) : made;
    const given = (b: ScalarValue): ScalarValue => (isShift(op) ? castValue(type, "u32", b) : b);
    return row({
      id: `${type} ${op}`,
      type,
      make,
      remedies: remediesOf(op, type),
      apply: ([a, b]) => BINARY[op].apply(type, a, given(b)),
      ...(isRounded && { covers: (operands, result) => areNormal(operands, result, type) }),
    });
  });

const UNARY_REMEDIES: Readonly<Partial<Record<UnaryOp, readonly Remedy[]>>> = {
  abs: ["int-abs"],
  popcount: ["popcount"],
};
const unaries = (type: Scalar): readonly ProbeRow[] =>
  (Object.keys(UNARY) as readonly UnaryOp[])
    .filter((op) => isOfType(UNARY[op], type))
    .map((op) => {
      const remedies = isFloat(type) ? [] : (UNARY_REMEDIES[op] ?? []);
      const apply = ([a]: ProbeOperands): ScalarValue => UNARY[op].apply(type, a);
      return row({ id: `${type} ${op}`, type, make: (a) => unary(op, a), remedies, apply });
    });

const WIDE: ReadonlySet<Scalar> = new Set(["i64", "u64"]);
function conversionRemedies(from: Scalar, to: Scalar): readonly Remedy[] {
  if (to === "f16") return ["round-to-half"];
  if (isFloat(from) && to === "bool") return COMPARED;
  if (isFloat(from) && !isFloat(to))
    return WIDE.has(to) || from === "f64" ? ["nan-to-wide-int"] : ["float-to-int"];
  return to === "f32" && (from === "i32" || from === "u32") ? ["int-to-float"] : [];
}
const conversions = (from: Scalar): readonly ProbeRow[] =>
  SCALAR_NAMES.filter((to) => to !== from).map((to) =>
    row({
      id: `${from} to ${to}`,
      type: from,
      make: (a) => cast(to, a),
      apply: ([a]) => castValue(from, to, a),
      remedies: conversionRemedies(from, to),
      // Subnormal numbers may be flushed: rows of their own say so.
      ...(isFloat(from) &&
        isFloat(to) && { covers: ([a], result) => isNormal(from, a) && isNormal(to, result) }),
    }),
  );
/** Subnormal halves are normal numbers of f32. */
const widened = row({
  id: "f16 to f32 of subnormals",
  type: "f16",
  make: (a) => cast("f32", a),
  keys: ["f16 to f32"],
  covers: ([a]) => !isNormal("f16", a),
});
/** A compiler may take a conversion and the one back for nothing; rusticl 26 does in kernels that have no sum and read no float as bits. */
const throughHalves = row({
  id: "f16 to f32 and back",
  type: "f16",
  make: (a, b) => {
    const product = mul(cast("f32", a), cast("f32", b));
    return binary("eq", cast("f32", cast("f16", product)), product);
  },
  keys: ["f32 to f16"],
  apart: true,
  remedies: ["round-to-half"],
  covers: ([a, b]) => [a, b, (a as number) * (b as number)].every((x) => isNormal("f16", x)),
});
/** A compiler may lose the magnitude of a difference from a constant infinity. */
const fromInfinity = row({
  id: "f16 minus infinity",
  type: "f16",
  make: (a, b) => native(add(unary("abs", sub(a, constant("f16", Number.POSITIVE_INFINITY))), b)),
  keys: ["f16 constant"],
  remedies: ["guard-rounding"],
  covers: (operands, result) => isPlain("f16", operands, result),
});
/** A NaN's bits are not compared. */
const bitcasts = (from: Scalar): readonly ProbeRow[] =>
  SCALAR_NAMES.filter((to) => to !== from && SCALARS[to].bits === SCALARS[from].bits).map((to) =>
    row({
      id: `${from} as ${to}`,
      type: from,
      make: (a) => bitcast(to, a),
      apply: ([a]) => bitcastValue(from, to, a),
      covers: ([a]) => !Number.isNaN(a),
    }),
  );

/** What holds for numbers and not for floats; `keys` are the operations by which a compiler may suppose it. */
const ALGEBRA: Readonly<Record<string, readonly [keys: readonly string[], make: Make]>> = {
  "times 0": [["mul"], (a) => mul(a, constant(a.type, 0))],
  "times 1": [["mul"], (a) => mul(a, constant(a.type, 1))],
  "plus 0": [["add"], (a) => add(a, constant(a.type, 0))],
  "from 0": [["sub"], (a) => sub(constant(a.type, 0), a)],
  "minus itself": [["sub"], (a) => sub(a, a)],
  "plus minus": [["add", "sub"], (a, b) => sub(add(a, b), b)],
  "times plus": [["mul", "add"], (a, b, c) => add(mul(a, b), c)],
  "times minus": [["mul", "sub"], (a, b, c) => sub(mul(a, b), c)],
  "times twice": [["mul"], (a, b, c) => mul(mul(a, b), c)],
};
/** Only where no device flushes a step. */
const isPlain = (type: Scalar, operands: ProbeOperands, result: ScalarValue): boolean => {
  const [a, b, c] = operands as readonly number[] as [number, number, number];
  const steps = [a * b, a + b, result as number];
  return [a, b, c, ...steps].every((x) => isNormal(type, x));
};
const algebra = (type: Scalar): readonly ProbeRow[] =>
  Object.entries(ALGEBRA).map(([name, [keys, make]]) =>
    row({
      id: `${type} ${name}`,
      type,
      make: (a, b, c) => native(make(a, b, c)),
      keys: keys.map((key) => `${type} ${key}`),
      remedies: type === "f64" ? [] : ["guard-rounding"],
      covers: (operands, result) => isPlain(type, operands, result),
    }),
  );

const flushed = (type: Scalar): readonly ProbeRow[] =>
  (["add", "sub", "mul"] as const).map((op) =>
    row({
      id: `${type} ${op} of subnormals`,
      type,
      make: (a, b) => binary(op, a, b),
      remedies: type === "f32" ? ["exact-subnormals"] : [],
      covers: (operands, result) => !areNormal(operands, result, type),
    }),
  );

const CONSTANTS: Readonly<Record<string, number>> = {
  "-0": -0,
  nan: Number.NaN,
  infinity: Number.POSITIVE_INFINITY,
};
const constants = (type: Scalar): readonly ProbeRow[] =>
  Object.entries({
    ...CONSTANTS,
    least: type === "f32" ? 2 ** -149 : type === "f16" ? 2 ** -24 : 2 ** -1074,
  }).map(([name, value]) =>
    row({
      id: `${type} constant ${name}`,
      type,
      make: () => constant(type, value),
      keys: [`${type} constant`],
      remedies: type === "f64" ? [] : ["float-constants"],
    }),
  );

/** A compiler may make a minimum of a selection, and suppose that a magnitude is no NaN (`findings/ptxas-magnitudes.sh`). */
const ofMagnitude = (type: Scalar): ProbeRow => {
  const make: Make = (a) => {
    const least = unary("neg", unary("abs", a));
    const limit = constant(type, 5);
    return select(binary("lt", least, limit), least, limit);
  };
  return row({ id: `${type} choice of a magnitude`, type, make, keys: [`${type} lt`], remedies: COMPARED });
};
/** A compiler may suppose that a magnitude is not negative, and make one of a choice (`findings/ptxas-magnitudes.sh`). */
const leastMagnitudes = (type: Scalar): readonly ProbeRow[] => {
  const isLess = (x: Expr): Expr => binary("lt", x, zeroOf(type));
  const sign = (name: string, key: UnaryOp, of: (a: Expr) => Expr): ProbeRow =>
    row({
      id: `${type} sign of a ${name}`,
      type,
      make: (a) => isLess(of(a)),
      keys: [`${type} ${key}`],
      remedies: ["int-abs"],
    });
  return [
    sign("magnitude", "abs", (a) => unary("abs", a)),
    sign("chosen negation", "neg", (a) => select(isLess(a), unary("neg", a), a)),
  ];
};
/** Quotients by constants, which compilers like to replace by products. */
const quotients = (type: Scalar): readonly ProbeRow[] => [
  row({
    id: `${type} div over 3`,
    type,
    make: (a) => binary("div", a, constant(type, 3)),
    keys: [`${type} div`],
    unless: DIVIDED[type]?.[0],
    remedies: DIVIDED[type] ?? [],
  }),
  row({
    id: `${type} div over 4 plus`,
    type,
    make: (a, b) => native(add(binary("div", a, constant(type, 4)), b)),
    keys: [`${type} div`],
    unless: DIVIDED[type]?.[0],
    remedies: ["divide-by-power", ...(DIVIDED[type] ?? [])],
    covers: ([a, b], result) => [a, b, (a as number) / 4, result].every((x) => isNormal(type, x)),
  }),
];
/** Of integers by a constant, also of negative ones. */
const divisions = (type: Scalar): readonly ProbeRow[] =>
  (["div", "rem"] as const).flatMap((op) =>
    [2, 7].map((by) =>
      row({
        id: `${type} ${op} over ${by}`,
        type,
        make: (a) => binary(op, a, constant(type, SCALARS[type].whole(by))),
        keys: [`${type} ${op} over`],
        remedies: op === "rem" && SCALARS[type].kind === "int" ? ["int-remainder"] : [],
      }),
    ),
  );

const choices = (type: Scalar): readonly ProbeRow[] => {
  const bits: Scalar = type === "f64" ? "u64" : type === "f32" ? "u32" : type;
  // Without a comparison of floats.
  const isEven = (x: Expr): Expr =>
    binary("eq", and(bitcast(bits, x), constant(bits, SCALARS[bits].whole(1))), zeroOf(bits));
  return [row({ id: `${type} select`, type, make: (a, b, c) => select(isEven(a), b, c) })];
};

/** All but the elementary ones, which languages do not promise. */
const FUNCTIONS = { ...INTEGER_FUNCTIONS, ...NUMERIC_FUNCTIONS, ...BIT_FUNCTIONS, ...ROUNDING_FUNCTIONS };
/** Functions of a language in place of groupwise's own bodies. */
const functions = (type: Scalar): readonly ProbeRow[] =>
  (Object.keys(FUNCTIONS) as readonly (keyof typeof FUNCTIONS)[])
    .filter((op) => isOfType(FUNCTIONS[op], type))
    .map((op): ProbeRow => {
      const { rest, result, apply } = FUNCTIONS[op];
      const name = bodyName(op, type);
      const types = rest.map((of) => resolved(of, type));
      // The last of four operands has bits of the third.
      const take = (x: Expr, i: number): Expr =>
        types[i] === type ? x : and(amount(x), constant("u32", 63));
      const make: Make = (a, b, c) =>
        call(name, resolved(result, type), [a, ...types.map((_, i) => take([b, c, a][i] as Expr, i))]);
      const value = (x: Expr, operands: ProbeOperands): ScalarValue => folded(x, type, operands);
      const args = make(variable("a", type), variable("b", type), variable("c", type));
      return row({
        id: name,
        type,
        make,
        remedies: [`without-${name}`],
        apply: (operands) =>
          apply(type, args.kind === "call" ? args.args.map((arg) => value(arg, operands)) : operands),
      });
    });

/** Work-items of a group of the probe. */
export const GROUP = 64;
const PLACES: Readonly<Record<SharedSpace, string>> = { "work-group": "", storage: " in device memory" };
/** The operation of a module that relies on a row of atomics. */
export const atomicKey = (type: Scalar, what: string, space: SharedSpace): string =>
  `${type} atomic ${what}${PLACES[space]}`;

const atomic = (
  type: Scalar,
  what: string,
  of: AtomicUse,
  remedy?: Remedy,
  keys: readonly string[] = [atomicKey(type, what, of.space)],
): ProbeRow => ({
  ...{ id: atomicKey(type, what, of.space), type, result: type, of, keys },
  ...(remedy ? { remedies: [remedy], unless: remedy } : { remedies: [] }),
});
export const ATOMIC_OPS: readonly AtomicOp[] = ["add", "min", "max", "and", "or", "xor"];
const combined = (type: Scalar): readonly ProbeRow[] =>
  (["work-group", "storage"] as const).flatMap((space) =>
    ATOMIC_OPS.map((op) => atomic(type, op, { space, use: op })),
  );
/** The counts of ranks, the tickets of look-back and the words of its slots. */
const words = (space: SharedSpace = "storage"): readonly ProbeRow[] => [
  atomic("u32", "fetch-add", { space: "work-group", use: "ticket" }, "rank-by-bits"),
  atomic("u32", "fetch-add", { space, use: "ticket" }, "two-passes"),
  atomic(
    "u32",
    "store and load",
    { space, use: "word" },
    "two-passes",
    ["store", "load"].map((what) => atomicKey("u32", what, space)),
  ),
  atomic("u32", "load of 2", { space, use: "word-of-2" }, "words-alone"),
  atomic("u32", "load of 4", { space, use: "word-of-4" }, "words-alone"),
];

const rowsOf = (type: Scalar): readonly ProbeRow[] => [
  ...operators(type),
  ...unaries(type),
  ...conversions(type),
  ...(type === "f16" ? [widened, throughHalves, fromInfinity] : []),
  ...bitcasts(type),
  ...(type === "bool" || type === "f16" ? [] : choices(type)),
  ...(isFloat(type)
    ? [...algebra(type), ...flushed(type), ...constants(type), ...quotients(type), ofMagnitude(type)]
    : []),
  ...(isNumber(type) && !isFloat(type) ? divisions(type) : []),
  ...(SCALARS[type].kind === "int" ? leastMagnitudes(type) : []),
  ...functions(type),
  ...(type === "i32" || type === "u32" ? combined(type) : []),
  ...(type === "u32" ? words() : []),
];

let all: readonly ProbeRow[] | undefined;
/** The table, made when it is first asked for. */
export const probeRows = (): readonly ProbeRow[] => (all ??= SCALAR_NAMES.flatMap(rowsOf));
