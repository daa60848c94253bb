import {
  type ArrayType,
  type Narrow,
  type NodeId,
  type Op,
  type Operator,
  type PipelineNode,
  SCALAR_NAMES,
  type Scalar,
  type Scope,
} from "@groupwise/core";
import {
  ANY,
  BINARY,
  BOOLEAN,
  COMBINES,
  errorOf,
  FUNCTION_ROWS,
  isElementary,
  isOn,
  type NodeWithout,
  OPS,
  oneOf,
  resolved,
  SCALARS,
  type ScatterNode,
  UNARY,
  type Uniformity,
  uniformityOf,
  type Wanted,
} from "@groupwise/core/target";
import { COMBINE_OPTIONS, optionsOf, SCOPE } from "../base/choice.ts";
import { literalOf } from "../base/literal.ts";
import { refusePrimitives } from "../base/misuse.ts";
import { callerOf } from "../base/place.ts";
import type { FastOptions } from "../values/functions.ts";
import type {
  AnyValue,
  CollectiveOptions,
  CombiningScatterOptions,
  FloatCollectiveOptions,
  RankOptions,
} from "../values/value.ts";
import { builtin, collect, settingOf } from "./collective.ts";
import { movingOf, neighbourOf, windowOf } from "./neighbours.ts";

/** A node before it has an id: its links are positions in the list of its operands. */
export type Template = NodeWithout<PipelineNode, "id" | "at">;

/** One run of a builder function. Its values belong to it; constants belong to none. */
export interface Owner {
  readonly places: boolean;
  readonly dimensions: number;
  /** Conditions that no other value uses yet. */
  readonly conditions: Set<DeclaredExpr>;
}

let count = 0;

/** The context of a value besides its operands. */
interface Origin {
  /** The context of values without operands. */
  readonly owner?: Owner | undefined;
  readonly operator?: Operator | undefined;
}

/** A value under construction: immutable, not yet in a list. Methods come from the tables, below. */
export class DeclaredExpr {
  readonly type: Scalar;
  readonly template: Template;
  readonly operands: readonly DeclaredExpr[];
  readonly uniformity: Uniformity;
  readonly owner: Owner | undefined;
  /** For collectives with a user-defined operator: the operator that the document will list. */
  readonly operator: Operator | undefined;
  /** The source location; the name `at` belongs to the method that authors call. */
  readonly place: string | undefined;
  /** Increases with every value, so that operands precede their users. */
  readonly serial: number = count++;

  constructor(
    type: Scalar,
    template: Template,
    operands: readonly DeclaredExpr[],
    at?: string,
    { owner, operator }: Origin = {},
  ) {
    this.type = type;
    this.operator = operator;
    this.template = template;
    this.operands = operands;
    this.place = at;
    this.owner = ownerOf(owner, operands, at);
    use(operands);
    const uniformities = operands.map((operand) => operand.uniformity);
    this.uniformity = uniformityOf({ ...template, id: uniformities.length } as PipelineNode, uniformities);
    Object.freeze(this);
  }
}

/** A scatter output under construction. */
export class ScatterExpr {
  readonly kind = "scatter";
  readonly type: ArrayType;
  readonly template: Template;
  readonly operands: readonly DeclaredExpr[];
  readonly owner: Owner | undefined;
  readonly place: string | undefined;
  /** What a value has that it can be an operand of a gather. */
  readonly serial: number = count++;
  readonly uniformity = "item";
  readonly operator: undefined;

  constructor(template: Template, operands: readonly DeclaredExpr[], at: string | undefined) {
    this.type = (template.kind === "scatter" ? template.as : undefined) ?? (operands[0] as DeclaredExpr).type;
    this.template = template;
    this.operands = operands;
    this.owner = ownerOf(undefined, operands, at);
    use(operands);
    this.place = at;
    Object.freeze(this);
  }

  at(index: unknown): DeclaredExpr {
    const at = where(this, this.at);
    const { combine, as } = this.template as ScatterNode;
    const operand = operandOf("u32", index, "the index of a gather", at);
    const operands = [this as unknown as DeclaredExpr, operand];
    if (combine === undefined && as === undefined)
      return new DeclaredExpr(this.type as Scalar, { kind: "gather", of: 0, index: 1 }, operands, at);
    const reason = `a pipeline cannot read a scatter ${combine ? "that combines values" : "of narrow elements"}`;
    throw errorOf("bad-usage", { reason, hint: TWO_STEPS }, at);
  }
}

/** How to read what another pipeline scattered. */
export const TWO_STEPS =
  "return the scatter, and read it in a second pipeline, whose input is a table: runtime.record().run(first, { x, y }).run(second, { y })";

export function gatherOf(of: DeclaredExpr, index: unknown, at: string | undefined): DeclaredExpr {
  const operands = [of, operandOf("u32", index, "the index of a gather", at)];
  return new DeclaredExpr(of.type, { kind: "gather", of: 0, index: 1 }, operands, at);
}

/** Marks conditions as used. */
export function use(values: readonly DeclaredExpr[]): void {
  for (const value of values) value.owner?.conditions.delete(value);
}

/** A new value; if it is a condition, something must use it. */
function made(value: DeclaredExpr): DeclaredExpr {
  if (value.type === "bool") value.owner?.conditions.add(value);
  return value;
}

/** The common owner of all operands. */
function ownerOf(
  own: Owner | undefined,
  operands: readonly DeclaredExpr[],
  at: string | undefined,
): Owner | undefined {
  return operands.reduce((owner, operand) => {
    if (owner && operand.owner && owner !== operand.owner) throw errorOf("foreign-value", undefined, at);
    return owner ?? operand.owner;
  }, own);
}

export const where = (self: Pick<DeclaredExpr, "owner">, method: unknown): string | undefined =>
  self.owner?.places === false ? undefined : callerOf(method);

export function constantOf(type: Scalar, value: unknown, at: string | undefined): DeclaredExpr {
  return new DeclaredExpr(type, { kind: "const", type, value: literalOf(type, value, at) }, [], at);
}

/** An operand of the given type: a value, or a constant as the author writes it. */
export function operandOf(
  type: Scalar,
  operand: unknown,
  what: string,
  at: string | undefined,
): DeclaredExpr {
  if (!(operand instanceof DeclaredExpr)) return constantOf(type, operand, at);
  if (operand.type !== type) throw errorOf("type-mismatch", { what, want: type, got: operand.type }, at);
  return operand;
}

/** The builder uses this class for all values; the public types are one interface per element type. */
export function asValue<V = AnyValue>(expr: DeclaredExpr): V {
  return expr as unknown as V;
}

type Rows = Readonly<Record<string, Parameters<typeof isOn>[0]>>;

function applies(table: Rows, op: string, type: Scalar, at: string | undefined): void {
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
const methods: Record<string, Method> = {};

for (const op of Object.keys(UNARY) as (keyof typeof UNARY)[]) {
  methods[op] = function method() {
    const at = where(this, method);
    applies(UNARY, op, this.type, at);
    return made(new DeclaredExpr(this.type, { kind: "unary", op, of: 0 }, [this], at));
  };
}

for (const op of Object.keys(BINARY) as (keyof typeof BINARY)[]) {
  const { compares, rightType } = BINARY[op];
  methods[op] = function method(right: unknown) {
    const at = where(this, method);
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
    const options = isElementary(op)
      ? optionsOf(given[rest.length] as FastOptions, { fast: BOOLEAN }, at)
      : {};
    const fast = options.fast ? ({ fast: true } as const) : {};
    const template = { kind: "function", op, of, ...fast } as const;
    return made(new DeclaredExpr(resolved(result, this.type), template, [this, ...others], at));
  };
}

for (const to of SCALAR_NAMES) {
  methods[`to${to[0]?.toUpperCase()}${to.slice(1)}`] = function method() {
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
  const { bins } = optionsOf(options as RankOptions, ["bins"], at) as RankOptions;
  return new DeclaredExpr("u32", { kind: "rank", scope: "device", of: 0, bins }, [this], at);
};

methods.at = function method(index: unknown) {
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
  const at = where(this, method);
  if (!SCALAR_NAMES.includes(to)) throw errorOf("unknown-type", { type: to, known: SCALAR_NAMES }, at);
  return this.type === to ? this : new DeclaredExpr(to, { kind: "bitcast", to, of: 0 }, [this], at);
};

methods.select = function method(then: unknown, otherwise: unknown) {
  return selectOf(this, then, otherwise, where(this, method));
};

export function selectOf(
  condition: unknown,
  then: unknown,
  otherwise: unknown,
  at: string | undefined,
): DeclaredExpr {
  const one = then instanceof DeclaredExpr ? then : otherwise;
  if (!(one instanceof DeclaredExpr)) {
    const hint = "write the type of one of them, for example u32(1)";
    throw errorOf("bad-usage", { reason: "select has two constants of no known type", hint }, at);
  }
  const operands = [
    operandOf("bool", condition, "the condition of select", at),
    operandOf(one.type, then, "the first choice of select", at),
    operandOf(one.type, otherwise, "the second choice of select", at),
  ];
  return new DeclaredExpr(one.type, { kind: "select", condition: 0, then: 1, otherwise: 2 }, operands, at);
}

/** The value for every item; returns a value that already differs per item unchanged. */
export function perItemOf(value: DeclaredExpr, at: string | undefined): DeclaredExpr {
  return value.uniformity === "item"
    ? value
    : new DeclaredExpr(value.type, { kind: "spread", of: 0 }, [value], at);
}

methods.perItem = function method() {
  return perItemOf(this, where(this, method));
};

methods.scatter = function method(options: CombiningScatterOptions) {
  return scatterOf(this, options, undefined, where(this, method));
};

/** The options of a scatter. */
export const SCATTER_OPTIONS: Readonly<Record<keyof Required<CombiningScatterOptions>, Wanted>> = {
  to: ANY,
  where: ANY,
  length: ANY,
  capacity: ANY,
  combine: /*@__PURE__*/ oneOf(...COMBINES),
};

export function scatterOf(
  value: DeclaredExpr,
  options: CombiningScatterOptions,
  as: Narrow | undefined,
  at: string | undefined,
): ScatterExpr {
  if (typeof options !== "object" || options === null) {
    throw errorOf("bad-usage", { reason: "scatter needs a slot", hint: "pass { to: slot }" }, at);
  }
  const { to, where: condition, length, capacity, combine } = optionsOf(options, SCATTER_OPTIONS, at);
  const operands = [value, operandOf("u32", to, "the slot of a scatter", at)];
  const add = (type: Scalar, operand: unknown, what: string): NodeId =>
    operands.push(operandOf(type, operand, what, at)) - 1;
  const template = {
    kind: "scatter",
    name: "",
    value: 0,
    slot: 1,
    ...(condition !== undefined && { where: add("bool", condition, "the condition of a scatter") }),
    ...(length !== undefined && { length: add("u32", length, "the length of a scatter") }),
    ...(capacity !== undefined && { capacity: add("u32", capacity, "the capacity of a scatter") }),
    ...(combine !== undefined && { combine }),
    ...(as !== undefined && { as }),
  } as const;
  return new ScatterExpr(template, operands, at);
}

Object.assign(DeclaredExpr.prototype, methods);
for (const one of [DeclaredExpr, ScatterExpr]) refusePrimitives(one.prototype);
