/** Associative user-defined operators with a correct identity, on records of mixed widths: each is a few monoids side by side. */
import { type Literal, type Operator, SCALAR_NAMES, type Scalar } from "@groupwise/core";
import { encodeLiteral, isFloat, isLogical, OPS, opExists, SCALARS } from "@groupwise/core/target";
import { type Random, randomOf } from "../../data/random.ts";

/** A node of an operator without its id. */
type Loose = Readonly<Record<string, unknown>>;

interface Record_ {
  readonly fields: { name: string; type: Scalar; identity: Literal }[];
  readonly nodes: Loose[];
  readonly results: number[];
}

type Types = readonly Scalar[];
/** Some of the types, or u32 where there is none. */
const among = (types: Types, isWanted: (type: Scalar) => boolean): Types => {
  const found = types.filter(isWanted);
  return found.length > 0 ? found : ["u32"];
};
const numbersIn = (types: Types): Types => among(types, (type) => type !== "bool");
const integersIn = (types: Types): Types => among(types, (type) => type !== "bool" && !isFloat(type));
const whole = (type: Scalar, x: number): Literal => encodeLiteral(type, SCALARS[type].whole(x));

/** Adds a field. @returns the nodes of its two sides */
function field({ fields, nodes }: Record_, type: Scalar, identity: Literal): readonly [number, number] {
  const at = fields.push({ name: `f${fields.length}`, type, identity }) - 1;
  return [put(nodes, { kind: "left", field: at }), put(nodes, { kind: "right", field: at })];
}
const put = (nodes: Loose[], node: Loose): number => nodes.push({ id: nodes.length, ...node }) - 1;
const binary = ({ nodes }: Record_, op: string, left: number, right: number): number =>
  put(nodes, { kind: "binary", op, left, right });
const choose = ({ nodes }: Record_, condition: number, then: number, otherwise: number): number =>
  put(nodes, { kind: "select", condition, then, otherwise });

type Monoid = (to: Record_, random: Random, types: Types) => void;

/** The sum of floats whose identity changes no operand, -0 included. */
const zeroOf = (type: Scalar): Literal => (isFloat(type) ? "-0" : whole(type, 0));

/** One field by one operator. */
const single: Monoid = (to, random, types) => {
  const type = random.pick(types);
  const op = random.pick((Object.keys(OPS) as (keyof typeof OPS)[]).filter((name) => opExists(name, type)));
  if (type === "bool") {
    const [left, right] = field(to, type, op === "logical-and");
    to.results.push(binary(to, OPS[op].elementwise, left, right));
  } else if (isLogical(op)) single(to, random, types);
  else {
    const identity = op === "add" ? zeroOf(type) : encodeLiteral(type, OPS[op].identity(type));
    const [left, right] = field(to, type, identity);
    to.results.push(binary(to, OPS[op].elementwise, left, right));
  }
};

/** x → a x + b, the left map first. */
const affine: Monoid = (to, random, types) => {
  const type = random.pick(numbersIn(types));
  const [a, c] = field(to, type, whole(type, 1));
  const [b, d] = field(to, type, zeroOf(type));
  to.results.push(binary(to, "mul", a, c), binary(to, "add", binary(to, "mul", b, c), d));
};

/** A sum that begins again where the flag is set. */
const segmented: Monoid = (to, random, types) => {
  const type = random.pick(numbersIn(types));
  const [flag, next] = field(to, "bool", false);
  const [sum, more] = field(to, type, zeroOf(type));
  to.results.push(binary(to, "or", flag, next), choose(to, next, more, binary(to, "add", sum, more)));
};

/** The least value, and the least number beside it. */
const least: Monoid = (to, random, types) => {
  const [type, place] = [random.pick(integersIn(types)), random.pick(integersIn(types))];
  const [a, b] = field(to, type, encodeLiteral(type, SCALARS[type].highest));
  const [i, j] = field(to, place, encodeLiteral(place, SCALARS[place].highest));
  const [isLess, isSame] = [binary(to, "lt", a, b), binary(to, "eq", a, b)];
  const tied = choose(to, isSame, binary(to, "min", i, j), j);
  to.results.push(choose(to, isLess, a, b), choose(to, isLess, i, tied));
};

/** The last record whose flag is set, and the number of flags. */
const last: Monoid = (to, random, types) => {
  const [type, counter] = [random.pick(types), random.pick(integersIn(types))];
  const zero = encodeLiteral(type, SCALARS[type].whole(0));
  const [count, more] = field(to, counter, whole(counter, 0));
  const [flag, next] = field(to, "bool", false);
  const [value, later] = field(to, type, zero);
  const none = put(to.nodes, { kind: "const", type, value: zero });
  const kept = choose(to, flag, value, none);
  to.results.push(binary(to, "add", count, more), binary(to, "or", flag, next));
  to.results.push(choose(to, next, later, kept));
};

/** The product of matrices of two rows and two columns. */
const matrix: Monoid = (to, random, types) => {
  const type = random.pick(integersIn(types));
  const sides = [1, 0, 0, 1].map((x) => field(to, type, whole(type, x)));
  for (const [row, column] of [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ] as const) {
    const term = (k: number): number =>
      binary(
        to,
        "mul",
        (sides[2 * row + k] as readonly number[])[0] as number,
        (sides[2 * k + column] as readonly number[])[1] as number,
      );
    to.results.push(binary(to, "add", term(0), term(1)));
  }
};

const MONOIDS: readonly Monoid[] = [single, single, affine, segmented, least, last, matrix];

/** An operator of one to three monoids. Where it commutes, it may say so. */
function randomOperator(name: string, random: Random, types: Types): Operator {
  const to: Record_ = { fields: [], nodes: [], results: [] };
  let commutes = true;
  for (let left = random.int(1, 3); left > 0; left--) {
    const monoid = random.pick(MONOIDS);
    monoid(to, random, types);
    commutes &&= monoid === single || monoid === least;
  }
  return { name, commutative: commutes && random.chance(0.5), ...to } as unknown as Operator;
}

/** As many as a document may have; their fields have all types, with other types beside them. */
export const OPERATORS: readonly Operator[] = Array.from({ length: 64 }, (_, number) =>
  randomOperator(`op${number}`, randomOf("operators of pairs", number), SCALAR_NAMES),
);
