/** The methods of values, most of them from the tables. Only what gives authors values imports this file: what makes values needs none of them. */

import { type Op, SCALAR_NAMES, type Scalar, type Scope } from "@groupwise/core";
import {
  BINARY,
  BOOLEAN,
  errorOf,
  FUNCTION_ROWS,
  isElementary,
  isOn,
  NUMBER,
  OPS,
  oneOf,
  requireArguments,
  resolved,
  SCALARS,
  UNARY,
} from "@groupwise/core/target";
import { COMBINE_OPTIONS, optionsOf, SCOPE } from "../base/choice.ts";
import type { FastOptions } from "../values/functions.ts";
import type {
  CollectiveOptions,
  CombiningScatterOptions,
  FloatCollectiveOptions,
  RankOptions,
} from "../values/value.ts";
import { builtin, collect, settingOf } from "./collective.ts";
import { DeclaredExpr, gatherOf, operandOf, perItemOf, scatterOf, selectOf, where } from "./expr.ts";
import { movingOf, neighbourOf, windowOf } from "./neighbours.ts";

/** A new value; if it is a condition, something must use it. */
function made(value: DeclaredExpr): DeclaredExpr {
  if (value.type === "bool") value.owner?.conditions.add(value);
  return value;
}

type Rows = Readonly<Record<string, Parameters<typeof isOn>[0]>>;

/** @throws GroupwiseError `unknown-op`, `op-type` */
export function applies(table: Rows, op: string, type: Scalar, at: string | undefined): void {
  if (typeof op !== "string" || !Object.hasOwn(table, op))
    throw errorOf("unknown-op", { op, known: Object.keys(table) }, at);
  const exists = (name: string): boolean => isOn(table[name] ?? { on: [] }, type);
  if (exists(op)) return;
  throw errorOf("op-type", { op, type, known: Object.keys(table).filter(exists) }, at);
}

const scopeOf = (options: unknown, at: string | undefined): Scope =>
  optionsOf(options as CollectiveOptions, SCOPE, at).scope ?? "device";

const COLLECTIVE_OPTIONS = { ...COMBINE_OPTIONS, order: /*@__PURE__*/ oneOf("fixed", "any") };

type Method = (this: DeclaredExpr, ...args: never[]) => unknown;
const methods = DeclaredExpr.prototype as unknown as Record<string, Method>;

for (const op of Object.keys(UNARY) as (keyof typeof UNARY)[]) {
  methods[op] = function method() {
    const at = where(this, method);
    requireArguments(arguments, op, [], at);
    applies(UNARY, op, this.type, at);
    return made(new DeclaredExpr(this.type, { kind: "unary", op, of: 0 }, [this], at));
  };
}

for (const op of Object.keys(BINARY) as (keyof typeof BINARY)[]) {
  const { compares, rightType } = BINARY[op];
  methods[op] = function method(right: unknown) {
    const at = where(this, method);
    requireArguments(arguments, op, ["right"], at);
    applies(BINARY, op, this.type, at);
    const other = operandOf(rightType ?? this.type, right, `the right operand of ${op}`, at);
    const type = compares ? "bool" : this.type;
    return made(new DeclaredExpr(type, { kind: "binary", op, left: 0, right: 1 }, [this, other], at));
  };
}

for (const op of Object.keys(FUNCTION_ROWS) as (keyof typeof FUNCTION_ROWS)[]) {
  const { rest, result } = FUNCTION_ROWS[op];
  methods[op] = function method(...given: unknown[]) {
    const at = where(this, method);
    applies(FUNCTION_ROWS, op, this.type, at);
    const others = rest.map((type, i) =>
      operandOf(resolved(type, this.type), given[i], `operand ${i + 2} of ${op}`, at),
    );
    const of = [0, ...rest.map((_, i) => i + 1)];
    const schema = isElementary(op) ? { fast: BOOLEAN } : [];
    const options = optionsOf<FastOptions>(given[rest.length] as FastOptions, schema, at);
    const fast = options.fast ? ({ fast: true } as const) : {};
    const template = { kind: "function", op, of, ...fast } as const;
    return made(new DeclaredExpr(resolved(result, this.type), template, [this, ...others], at));
  };
}

for (const to of SCALAR_NAMES) {
  const name = `to${to[0]?.toUpperCase()}${to.slice(1)}`;
  methods[name] = function method() {
    requireArguments(arguments, name, []);
    return this.type === to
      ? this
      : new DeclaredExpr(to, { kind: "cast", to, of: 0 }, [this], where(this, method));
  };
}

const MONOIDS = {
  reduce: "reduce",
  scanInclusive: "scan-inclusive",
  scanExclusive: "scan-exclusive",
} as const;
type Form = (typeof MONOIDS)[keyof typeof MONOIDS];
function collective(
  self: DeclaredExpr,
  op: Op,
  forms: readonly Form[],
  options: unknown,
  at: string | undefined,
) {
  const { type } = self;
  applies(OPS, op, type, at);
  const given = optionsOf(options as FloatCollectiveOptions, COLLECTIVE_OPTIONS, at);
  const { order = "fixed" } = given;
  const seedOf = (seed: unknown): DeclaredExpr[] => [operandOf(type, seed, `the seed of ${op}`, at)];
  const setting = settingOf(given, seedOf, at);
  return forms.map((form) => collect(builtin(op, type, order), form, [self], setting, at)[0] as DeclaredExpr);
}
for (const [name, form] of Object.entries(MONOIDS)) {
  methods[name] = function method(op: Op, options?: unknown) {
    return collective(this, op, [form], options, where(this, method))[0];
  };
}
methods.scanWithTotal = function method(op: Op, options?: unknown) {
  const forms = ["scan-inclusive", "scan-exclusive", "reduce"] as const;
  const [scan, before, total] = collective(this, op, forms, options, where(this, method));
  return Object.freeze({ scan, before, total });
};

for (const kind of ["all", "any"] as const) {
  methods[kind] = function method(options?: unknown) {
    const at = where(this, method);
    applies(OPS, "logical-and", this.type, at);
    return new DeclaredExpr("bool", { kind, scope: scopeOf(options, at), of: 0 }, [this], at);
  };
}

methods.broadcast = function method(index: unknown, options?: unknown) {
  const at = where(this, method);
  const coordinates = (Array.isArray(index) ? index : [index]).map((one) =>
    operandOf("u32", one, "a broadcast index", at),
  );
  const links = coordinates.map((_, position) => position + 1);
  const template = { kind: "broadcast", scope: scopeOf(options, at), of: 0, index: links } as const;
  return new DeclaredExpr(this.type, template, [this, ...coordinates], at);
};

methods.rank = function method(options: unknown) {
  // `check` reports an invalid number, for documents too.
  const at = where(this, method);
  const { bins } = optionsOf(options as RankOptions, { bins: NUMBER }, at) as RankOptions;
  return new DeclaredExpr("u32", { kind: "rank", scope: "device", of: 0, bins }, [this], at);
};

methods.at = function method(index: unknown) {
  requireArguments(arguments, "at", ["index"]);
  return gatherOf(this, index, where(this, method));
};

for (const [name, side] of [
  ["previous", "before"],
  ["next", "after"],
] as const) {
  methods[name] = function method(...given: unknown[]) {
    return neighbourOf(side, this, given, where(this, method));
  };
}

methods.window = function method(...given: unknown[]) {
  return windowOf(this, given, where(this, method));
};

methods.diff = function method(options?: unknown) {
  const at = where(this, method);
  applies(BINARY, "sub", this.type, at);
  const before = neighbourOf("before", this, [SCALARS[this.type].whole(0), 1, options], at);
  return new DeclaredExpr(this.type, { kind: "binary", op: "sub", left: 0, right: 1 }, [this, before], at);
};

methods.moving = function method(op: Op, width: unknown, options?: unknown) {
  const at = where(this, method);
  applies(OPS, op, this.type, at);
  return movingOf(op, this, width, options, at);
};

methods.bitsAs = function method(to: Scalar) {
  requireArguments(arguments, "bitsAs", ["type"]);
  const at = where(this, method);
  if (!SCALAR_NAMES.includes(to)) throw errorOf("unknown-type", { type: to, known: SCALAR_NAMES }, at);
  return this.type === to ? this : new DeclaredExpr(to, { kind: "bitcast", to, of: 0 }, [this], at);
};

methods.select = function method(then: unknown, otherwise: unknown) {
  requireArguments(arguments, "select", ["then", "otherwise"]);
  return selectOf(this, then, otherwise, where(this, method));
};

methods.perItem = function method() {
  requireArguments(arguments, "perItem", []);
  return perItemOf(this, where(this, method));
};

methods.scatter = function method(options: CombiningScatterOptions) {
  return scatterOf(this, options, undefined, where(this, method));
};
