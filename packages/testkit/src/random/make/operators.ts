/** Associative user-defined operators with a correct identity, on random types. */
import { type Literal, OP_NAMES, type Op, type Operator, type Scalar } from "@groupwise/core";
import {
  encodeLiteral,
  isFloat,
  isLogical,
  NodeList,
  OPS,
  type OperatorField,
  type OperatorNode,
  opExists,
  SCALARS,
} from "@groupwise/core/target";
import type { Random } from "../../data/random.ts";

/** The nodes of an operator under construction. */
class Body extends NodeList<OperatorNode> {
  left(field: number): number {
    return this.add({ kind: "left", field });
  }
  right(field: number): number {
    return this.add({ kind: "right", field });
  }
}

const field = (name: string, type: Scalar, identity: Literal): OperatorField => ({ name, type, identity });
const one = (type: Scalar): Literal => encodeLiteral(type, OPS.mul.identity(type));
const zero = (type: Scalar): Literal => encodeLiteral(type, OPS.add.identity(type));
/** The identity; for sums of floats that is -0. */
const neutral = (op: Op, type: Scalar): Literal =>
  op === "add" && isFloat(type) ? "-0" : encodeLiteral(type, OPS[op].identity(type));
/** Operators that are nodes too; the logical ones are not. */
const nodeOps = (type: Scalar): Op[] => OP_NAMES.filter((op) => opExists(op, type) && !isLogical(op));

type Maker = (random: Random, types: readonly Scalar[]) => Omit<Operator, "name">;
const numeric = (random: Random, types: readonly Scalar[], onlyIntegers: boolean = false): Scalar => {
  const list = types.filter((type) => type !== "bool" && !(onlyIntegers && isFloat(type)));
  return list.length > 0 ? random.pick(list) : "u32";
};

/** Each field is combined by its own operator. */
const fieldwise: Maker = (random, types) => {
  const body = new Body();
  const fields: OperatorField[] = [];
  const results: number[] = [];
  for (let i = random.int(1, 4); i > 0; i--) {
    const type = numeric(random, types);
    const op = random.pick(nodeOps(type));
    const at = fields.push(field(`f${i}`, type, neutral(op, type))) - 1;
    results.push(body.binary(OPS[op].elementwise, body.left(at), body.right(at)));
  }
  return { fields, commutative: random.chance(0.5), nodes: body.nodes, results };
};

/** x → a x + b; the left map is applied first. */
const affine: Maker = (random, types) => {
  const type = numeric(random, types);
  const body = new Body();
  const [a, b, c, d] = [body.left(0), body.left(1), body.right(0), body.right(1)];
  const results = [body.binary("mul", a, c), body.binary("add", body.binary("mul", b, c), d)];
  const fields = [field("a", type, one(type)), field("b", type, isFloat(type) ? "-0" : zero(type))];
  return { fields, commutative: false, nodes: body.nodes, results };
};

/** The greatest value and its first index. */
const argmax: Maker = (random, types) => {
  const type = numeric(random, types, true);
  const body = new Body();
  const [x, i, y, j] = [body.left(0), body.left(1), body.right(0), body.right(1)];
  const isGreater = body.binary("gt", y, x);
  const isBefore = body.binary("and", body.binary("eq", y, x), body.binary("lt", j, i));
  const takes = body.binary("or", isGreater, isBefore);
  const lowest = encodeLiteral(type, SCALARS[type].lowest);
  return {
    fields: [field("value", type, lowest), field("place", "u32", 0xffffffff)],
    commutative: true,
    nodes: body.nodes,
    results: [body.select(takes, y, x), body.select(takes, j, i)],
  };
};

/** An operator that starts again where a flag is set: a segmented scan. */
const segmented: Maker = (random, types) => {
  const type = numeric(random, types);
  const op = random.pick(nodeOps(type));
  const body = new Body();
  const [f, x, g, y] = [body.left(0), body.left(1), body.right(0), body.right(1)];
  const sum = body.binary(OPS[op].elementwise, x, y);
  return {
    fields: [field("starts", "bool", false), field("value", type, neutral(op, type))],
    commutative: false,
    nodes: body.nodes,
    results: [body.binary("or", f, g), body.select(g, y, sum)],
  };
};

/** The last existing value. */
const last: Maker = (random, types) => {
  const type = random.pick(types);
  const body = new Body();
  const [has, x, hasToo, y] = [body.left(0), body.left(1), body.right(0), body.right(1)];
  const identity = type === "bool" ? false : zero(type);
  return {
    fields: [field("has", "bool", false), field("value", type, identity)],
    commutative: false,
    nodes: body.nodes,
    results: [body.binary("or", has, hasToo), body.select(hasToo, y, x)],
  };
};

/** Products of matrices of 2 x 2. */
const matrices: Maker = (random, types) => {
  const type = numeric(random, types, true);
  const body = new Body();
  const l = [0, 1, 2, 3].map((i) => body.left(i)) as [number, number, number, number];
  const r = [0, 1, 2, 3].map((i) => body.right(i)) as [number, number, number, number];
  const dot = (a: number, b: number, c: number, d: number): number =>
    body.binary("add", body.binary("mul", a, b), body.binary("mul", c, d));
  return {
    fields: ["m_a", "m_b", "m_c", "m_d"].map((name, i) =>
      field(name, type, i % 3 === 0 ? one(type) : zero(type)),
    ),
    commutative: false,
    nodes: body.nodes,
    results: [
      dot(l[0], r[0], l[1], r[2]),
      dot(l[0], r[1], l[1], r[3]),
      dot(l[2], r[0], l[3], r[2]),
      dot(l[2], r[1], l[3], r[3]),
    ],
  };
};

const MAKERS: readonly Maker[] = [fieldwise, fieldwise, affine, argmax, segmented, segmented, last, matrices];

/** A random operator on some of the types. */
export function randomOperator(name: string, random: Random, types: readonly Scalar[]): Operator {
  return { name, ...random.pick(MAKERS)(random, types) };
}
