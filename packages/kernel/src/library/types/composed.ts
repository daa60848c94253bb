/** Operators that no target prints, composed of operators that targets print. */

import { type IntegerScalar, isFloat, SCALARS } from "@groupwise/ir/tables/scalar.js";
import type { BinaryExpr, ComposedOp, Expr } from "../../language/expr.ts";
import { add, and, binary, call, constant, sub, unary } from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";
import { define, nativeName } from "./base/define.ts";
import { GCD_FUNCTIONS } from "./gcd.ts";

const called = ({ op, type, left, right }: BinaryExpr): Expr =>
  call(nativeName(op, type), type, [left, right]);

const COMPOSED: Readonly<Record<ComposedOp, (e: BinaryExpr) => Expr>> = {
  absdiff: (e) => (isFloat(e.type) ? unary("abs", sub(e.left, e.right)) : called(e)),
  gcd: called,
};

/** The operator composed of others; undefined if targets print it. */
export function composed(e: BinaryExpr): Expr | undefined {
  return Object.hasOwn(COMPOSED, e.op) ? COMPOSED[e.op as ComposedOp](e) : undefined;
}

// Neither operand is written twice.
const absdiff = (type: IntegerScalar): Fn =>
  define(nativeName("absdiff", type), {
    doc: "The magnitude of a - b, modulo the width.",
    params: ["a", "b"],
    type,
    returns: type,
    body: (code, args) => {
      const [a, b] = args as [Expr, Expr];
      code.return(sub(binary("max", a, b), binary("min", a, b)));
    },
  });
const INTEGERS = Object.keys(SCALARS).filter((type): type is IntegerScalar =>
  ["int", "uint"].includes(SCALARS[type as IntegerScalar].kind),
);

/**
 * For compilers whose own function has no magnitude of the least integer. No selection of x and -x: compilers make their own function of one, and ptxas
 * takes what that gives for positive (`findings/ptxas-magnitudes.sh`).
 */
const magnitude = (type: "i32" | "i64"): Fn =>
  define(nativeName("abs", type), {
    doc: "The magnitude of x, modulo the width.",
    params: ["x"],
    type,
    returns: type,
    body: (code, args) => {
      const [x] = args as [Expr];
      const sign = binary("shr", x, constant("u32", SCALARS[type].bits - 1));
      code.return(sub(x, and(add(x, x), sign)));
    },
  });

/** Callees before callers. */
export const COMPOSED_FUNCTIONS: readonly Fn[] = [
  magnitude("i32"),
  magnitude("i64"),
  ...INTEGERS.map(absdiff),
  ...GCD_FUNCTIONS,
];
