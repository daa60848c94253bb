import type { ArrayType, Narrow, NodeId, Operator, PipelineNode, Scalar } from "@groupwise/core";
import {
  ANY,
  COMBINES,
  errorOf,
  type NodeWithout,
  oneOf,
  type ScatterNode,
  type Uniformity,
  uniformityOf,
  type Wanted,
} from "@groupwise/core/target";
import { optionsOf } from "../base/choice.ts";
import { literalOf } from "../base/literal.ts";
import { refusePrimitives } from "../base/misuse.ts";
import { callerOf } from "../base/place.ts";
import type { AnyValue, CombiningScatterOptions } from "../values/value.ts";

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

/** A value under construction: immutable, not yet in a list. `methods.ts` adds the methods that authors call. */
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
const TWO_STEPS =
  "return the scatter, and read it in a second pipeline, whose input is a table: runtime.record().run(first, { x, y }).run(second, { y })";

export function gatherOf(of: DeclaredExpr, index: unknown, at: string | undefined): DeclaredExpr {
  const operands = [of, operandOf("u32", index, "the index of a gather", at)];
  return new DeclaredExpr(of.type, { kind: "gather", of: 0, index: 1 }, operands, at);
}

/** Marks conditions as used. */
export function use(values: readonly DeclaredExpr[]): void {
  for (const value of values) value.owner?.conditions.delete(value);
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
  const { to, where: condition, length, capacity, combine } = optionsOf(options, SCATTER_OPTIONS, at);
  if (to === undefined)
    throw errorOf("bad-usage", { reason: "scatter needs a slot", hint: "pass { to: slot }" }, at);
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

for (const one of [DeclaredExpr, ScatterExpr]) refusePrimitives(one.prototype);
