/** Scalar outputs, narrow outputs and tables under construction. */
import type { ArrayType, Narrow, Scalar } from "@groupwise/core";
import { refusePrimitives } from "../base/misuse.ts";
import type { CombiningScatterOptions } from "../values/value.ts";
import { DeclaredExpr, gatherOf, type ScatterExpr, scatterOf, where } from "./expr.ts";

/** A scalar output under construction; its value is the same in the whole range. */
export class ScalarExpr {
  readonly kind = "scalar";
  readonly type: Scalar;
  readonly expr: DeclaredExpr;

  constructor(expr: DeclaredExpr) {
    this.type = expr.type;
    this.expr = expr;
    Object.freeze(this);
  }
}

/** An output of narrow elements under construction. */
export class NarrowExpr {
  readonly kind = "narrow";
  readonly type: Narrow;
  readonly expr: DeclaredExpr;

  constructor(type: Narrow, expr: DeclaredExpr) {
    this.type = type;
    this.expr = expr;
    Object.freeze(this);
  }

  scatter(options: CombiningScatterOptions): ScatterExpr {
    return scatterOf(this.expr, options, this.type, where(this.expr, this.scatter));
  }
}

/** A table under construction: it has no value, only elements. */
export class TableExpr {
  readonly type: ArrayType;
  readonly expr: DeclaredExpr;

  constructor(expr: DeclaredExpr, type: ArrayType = expr.type) {
    this.type = type;
    this.expr = expr;
    Object.freeze(this);
  }

  get length(): DeclaredExpr {
    return new DeclaredExpr("u32", { kind: "table-length", of: 0 }, [this.expr], this.expr.place);
  }

  at(index: unknown): DeclaredExpr {
    return gatherOf(this.expr, index, where(this.expr, this.at));
  }
}

for (const one of [NarrowExpr, ScalarExpr, TableExpr]) refusePrimitives(one.prototype);
