/** Linear ids of items within a scope, and the items with such ids. */
import type { Scope } from "@groupwise/core";
import { encodeLiteral, type Query } from "@groupwise/core/target";
import { DeclaredExpr, type Owner, type Template } from "./expr.ts";

/** The position of an item among the items of its scope. */
export interface Places {
  /** From 0, in linear order. */
  readonly place: DeclaredExpr;
  /** Items of the scope. */
  readonly count: DeclaredExpr;
  /** The linear index in the range of the item with a linear id in the scope. */
  index(place: DeclaredExpr): DeclaredExpr;
}

/** Small expressions that share one source location. */
export class Maker {
  readonly at: string | undefined;
  private readonly owner: Owner | undefined;

  constructor(owner: Owner | undefined, at: string | undefined) {
    this.owner = owner;
    this.at = at;
  }

  u32(value: number): DeclaredExpr {
    const template: Template = { kind: "const", type: "u32", value: encodeLiteral("u32", value) };
    return new DeclaredExpr("u32", template, [], this.at);
  }

  query(query: Query, dimension: number): DeclaredExpr {
    return new DeclaredExpr("u32", { kind: "query", query, dimension }, [], this.at, { owner: this.owner });
  }

  binary(
    op: "add" | "sub" | "mul" | "div" | "rem" | "min" | "max" | "or",
    left: DeclaredExpr,
    right: DeclaredExpr,
  ): DeclaredExpr {
    return new DeclaredExpr(left.type, { kind: "binary", op, left: 0, right: 1 }, [left, right], this.at);
  }

  compare(op: "eq" | "ne" | "lt" | "ge", left: DeclaredExpr, right: DeclaredExpr): DeclaredExpr {
    return new DeclaredExpr("bool", { kind: "binary", op, left: 0, right: 1 }, [left, right], this.at);
  }

  select(condition: DeclaredExpr, then: DeclaredExpr, otherwise: DeclaredExpr): DeclaredExpr {
    const template: Template = { kind: "select", condition: 0, then: 1, otherwise: 2 };
    return new DeclaredExpr(then.type, template, [condition, then, otherwise], this.at);
  }

  /** The value at the item with a linear index. */
  gather(value: DeclaredExpr, index: DeclaredExpr): DeclaredExpr {
    const template: Template = { kind: "gather", of: 0, index: 1 };
    return new DeclaredExpr(value.type, template, [value, index], this.at);
  }
}

export function placesIn(scope: Scope, owner: Owner | undefined, make: Maker): Places {
  const dimensions = Array.from({ length: owner?.dimensions ?? 1 }, (_, d) => d);
  const product = (query: Query): DeclaredExpr =>
    dimensions.map((d) => make.query(query, d)).reduce((a, b) => make.binary("mul", a, b));
  if (scope === "device") {
    const place = make.query("global-linear-id", 0);
    return { place, count: product("global-size"), index: (other) => other };
  }
  const place = make.query("local-linear-id", 0);
  const index = (other: DeclaredExpr): DeclaredExpr => {
    if (dimensions.length === 1) {
      const start = make.binary("sub", make.query("global-linear-id", 0), place);
      return make.binary("add", start, other);
    }
    let rest = other;
    const sides = dimensions.map((d): DeclaredExpr => {
      const size = make.query("local-size", d);
      const own = make.binary("rem", rest, size);
      rest = make.binary("div", rest, size);
      const ahead = make.binary("add", make.query("global-offset", d), make.query("local-id", d));
      return make.binary("add", make.binary("sub", make.query("global-id", d), ahead), own);
    });
    return sides.reduceRight((sum, side, d) =>
      make.binary("add", make.binary("mul", sum, make.query("global-size", d)), side),
    );
  };
  return { place, count: product("local-size"), index };
}
