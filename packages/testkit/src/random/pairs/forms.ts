/** Every form of a node: the types of its operands and of its result, and where the result is the same. */
import { OP_NAMES, SCALAR_NAMES, type Scalar } from "@groupwise/core";
import {
  BINARY,
  COMBINES,
  encodeLiteral,
  FUNCTION_ROWS,
  isElementary,
  isOn,
  NARROW,
  NARROW_NAMES,
  OPS,
  opExists,
  QUERIES,
  resolved,
  SCALARS,
  UNARY,
} from "@groupwise/core/target";
import { OPERATORS } from "../make/operators.ts";

/** Where a value is the same, the widest range first. */
export const RATES = ["uniform", "group", "item"] as const;
export type Rate = (typeof RATES)[number];
/** True if a value of rate `a` may be used where `b` is the narrowest that may be. */
export const isWithin = (a: Rate, b: Rate): boolean => RATES.indexOf(a) <= RATES.indexOf(b);

/** The place of an operand in a node. */
export interface Slot {
  readonly name: string;
  readonly type: Scalar;
  /** The narrowest rate that the operand may have; default: `item`. */
  readonly most?: Rate;
  /** The host computes it before the run. */
  readonly isOnHost?: true;
}

/** A node without its id. */
export type Loose = Readonly<Record<string, unknown>>;

/** The document that takes a node. */
export interface DocumentPlace {
  readonly dimensions: number;
  /** A new name. */
  name(): string;
  /** A number from 0 to `most`. */
  number(most: number): number;
  literal(type: Scalar): unknown;
  /** A table of the type of values; its id. */
  table(type: Scalar): number;
  /** The position of an operator of {@link OPERATORS} in the document. */
  operator(number: number): number;
}

/** A form of a node. */
export interface Form {
  /** The kind of node, with its scope if it has one. */
  readonly kind: string;
  /** The type of the result, of a sink that of its value. */
  readonly type: Scalar;
  readonly slots: readonly Slot[];
  /** The rate of the result; `operands`: the narrowest one of them, `index`: that of the last one. */
  readonly rate: Rate | "operands" | "index";
  readonly isSink?: true;
  /** Costly to emit, and chosen less often. */
  readonly isRare?: true;
  node(ids: readonly number[], place: DocumentPlace): Loose;
}

const slot = (name: string, type: Scalar, most: Rate = "item"): Slot => ({ name, type, most });
const on = <Name extends string>(
  table: Readonly<Record<Name, { on: readonly string[] }>>,
  type: Scalar,
): Name[] => (Object.keys(table) as Name[]).filter((name) => isOn(table[name], type));

const leaves = (type: Scalar): Form[] => [
  {
    kind: "input",
    type,
    slots: [],
    rate: "item",
    node: (_, at) => ({ kind: "input", name: at.name(), type }),
  },
  ...NARROW_NAMES.filter((name) => NARROW[name].value === type).map(
    (name): Form => ({
      kind: "narrow input",
      type,
      slots: [],
      rate: "item",
      node: (_, at) => ({ kind: "input", name: at.name(), type: name }),
    }),
  ),
  {
    kind: "param",
    type,
    slots: [],
    rate: "uniform",
    node: (_, at) => ({ kind: "param", name: at.name(), type }),
  },
  {
    kind: "const",
    type,
    slots: [],
    rate: "uniform",
    node: (_, at) => ({ kind: "const", type, value: at.literal(type) }),
  },
];

const QUERY_FORMS: readonly Form[] = [
  ...(Object.keys(QUERIES) as (keyof typeof QUERIES)[]).map(
    (query): Form => ({
      kind: "query",
      type: "u32",
      slots: [],
      rate: QUERIES[query].uniformity,
      node: (_, at) => ({
        kind: "query",
        query,
        dimension: QUERIES[query].beyond === undefined ? 0 : at.number(at.dimensions),
      }),
    }),
  ),
  {
    kind: "table-length",
    type: "u32",
    slots: [],
    rate: "uniform",
    node: (_, at) => ({ kind: "table-length", of: at.table(SCALAR_NAMES[at.number(7)] as Scalar) }),
  },
];

const elementwise = (type: Scalar): Form[] => [
  ...on(UNARY, type).map(
    (op): Form => ({
      kind: "unary",
      type,
      slots: [slot("of", type)],
      rate: "operands",
      node: ([of]) => ({ kind: "unary", op, of }),
    }),
  ),
  ...on(BINARY, type).map(
    (op): Form => ({
      kind: BINARY[op].compares ? "comparison" : "binary",
      type: BINARY[op].compares ? "bool" : type,
      slots: [slot("left", type), slot("right", BINARY[op].rightType ?? type)],
      rate: "operands",
      node: ([left, right]) => ({ kind: "binary", op, left, right }),
    }),
  ),
  ...on(FUNCTION_ROWS, type).map((op): Form => {
    const { rest, result } = FUNCTION_ROWS[op];
    return {
      kind: "function",
      type: resolved(result, type),
      slots: [type, ...rest.map((own) => resolved(own, type))].map((own) => slot("of", own)),
      rate: "operands",
      ...(isElementary(op) && { isRare: true }),
      node: (of) => ({ kind: "function", op, of }),
    };
  }),
  {
    kind: "select",
    type,
    slots: [slot("condition", "bool"), slot("then", type), slot("otherwise", type)],
    rate: "operands",
    node: ([condition, then, otherwise]) => ({ kind: "select", condition, then, otherwise }),
  },
  ...SCALAR_NAMES.map(
    (to): Form => ({
      kind: "cast",
      type: to,
      slots: [slot("of", type)],
      rate: "operands",
      node: ([of]) => ({ kind: "cast", to, of }),
    }),
  ),
  ...SCALAR_NAMES.filter((to) => SCALARS[to].bits === SCALARS[type].bits).map(
    (to): Form => ({
      kind: "bitcast",
      type: to,
      slots: [slot("of", type)],
      rate: "operands",
      node: ([of]) => ({ kind: "bitcast", to, of }),
    }),
  ),
  { kind: "spread", type, slots: [slot("of", type)], rate: "item", node: ([of]) => ({ kind: "spread", of }) },
];

const gathers = (type: Scalar): Form[] => [
  {
    kind: "gather",
    type,
    slots: [slot("of", type), slot("index", "u32")],
    rate: "index",
    node: ([of, index]) => ({ kind: "gather", of, index }),
  },
  {
    kind: "gather of a table",
    type,
    slots: [slot("index", "u32")],
    rate: "index",
    node: ([index], at) => ({ kind: "gather", of: at.table(type), index }),
  },
];

const SCOPES = [
  ["work-group", "group"],
  ["device", "uniform"],
] as const;
const SCANS = ["scan-inclusive", "scan-exclusive"] as const;

const collectives = (type: Scalar, dimensions: number): Form[] =>
  SCOPES.flatMap(([scope, rate]) => [
    ...OP_NAMES.filter((op) => opExists(op, type)).flatMap((op) =>
      (["reduce", ...SCANS] as const).map((kind): Form => {
        const order = OPS[op].exactlyAssociative(type) ? (["fixed", "any"] as const) : (["fixed"] as const);
        const identity = encodeLiteral(type, OPS[op].identity(type));
        return {
          kind: `${kind} of a ${scope}`,
          type,
          slots: [slot("of", type)],
          rate: kind === "reduce" ? rate : "item",
          node: ([of], at) => ({
            ...{ kind, op, type, identity, scope, of },
            order: order[at.number(order.length - 1)],
          }),
        };
      }),
    ),
    ...(opExists("logical-and", type) ? (["all", "any"] as const) : []).map(
      (kind): Form => ({
        kind: `vote of a ${scope}`,
        type: "bool",
        slots: [slot("of", type)],
        rate,
        node: ([of]) => ({ kind, scope, of }),
      }),
    ),
    {
      kind: `broadcast of a ${scope}`,
      type,
      slots: [slot("of", type), ...Array.from({ length: dimensions }, () => slot("index", "u32", rate))],
      rate,
      node: ([of, ...index]) => ({ kind: "broadcast", scope, of, index }),
    } as Form,
  ]);

const USER_FORMS: readonly Form[] = SCOPES.flatMap(([scope, rate]) =>
  (["reduce", ...SCANS] as const).flatMap((form) =>
    OPERATORS.flatMap(({ fields }, number) =>
      fields.map(
        ({ type }, field): Form => ({
          kind: `user ${form} of a ${scope}`,
          type,
          slots: fields.map((own) => slot("of", own.type)),
          rate: form === "reduce" ? rate : "item",
          node: (of, at) => ({
            ...{ kind: "user-collective", form, field, scope, of },
            operator: at.operator(number),
          }),
        }),
      ),
    ),
  ),
);

const RANK: Form = {
  kind: "rank",
  type: "u32",
  slots: [slot("of", "u32")],
  rate: "item",
  node: ([of], at) => ({ kind: "rank", scope: "device", of, bins: [1, 2, 3, 8, 17, 64, 256][at.number(6)] }),
};

/** The operands of a scatter; the document decides which of the last three it has. */
const scatterSlots = (type: Scalar): Slot[] => [
  slot("value", type),
  slot("slot", "u32"),
  slot("where", "bool"),
  slot("length", "u32", "uniform"),
  { ...slot("capacity", "u32", "uniform"), isOnHost: true },
];

const sinks = (type: Scalar): Form[] => {
  const narrow = NARROW_NAMES.filter((name) => NARROW[name].value === type);
  const scatter = (kind: string, more: (at: DocumentPlace) => Loose): Form => ({
    kind,
    type,
    slots: scatterSlots(type),
    rate: "item",
    isSink: true,
    node: ([value, to, where, length, capacity], at) => ({
      ...{ kind: "scatter", name: at.name(), value, slot: to },
      ...(where !== undefined && { where }),
      ...(length !== undefined && { length }),
      ...(capacity !== undefined && { capacity }),
      ...more(at),
    }),
  });
  const output = (kind: string, more: (at: DocumentPlace) => Loose): Form => ({
    kind,
    type,
    slots: [slot("of", type)],
    rate: "item",
    isSink: true,
    node: ([of], at) => ({ kind: "output", name: at.name(), of, ...more(at) }),
  });
  const as = (at: DocumentPlace): Loose => ({ as: narrow[at.number(narrow.length - 1)] });
  return [
    output("output", () => ({})),
    scatter("scatter", () => ({})),
    ...(narrow.length > 0 ? [output("narrow output", as), scatter("narrow scatter", as)] : []),
    ...(type === "i32" || type === "u32"
      ? [scatter("combining scatter", (at) => ({ combine: COMBINES[at.number(COMBINES.length - 1)] }))]
      : []),
  ];
};

/** Every form of a node, for ranges of 1, 2 and 3 dimensions. */
export const FORMS: readonly (readonly Form[])[] = [1, 2, 3].map((dimensions) => [
  ...SCALAR_NAMES.flatMap((type) => [
    ...leaves(type),
    ...elementwise(type),
    ...gathers(type),
    ...collectives(type, dimensions),
    ...sinks(type),
  ]),
  ...QUERY_FORMS,
  ...USER_FORMS,
  RANK,
]);
