/** Arithmetic on enough pairs to include rare carries and ties, and on every half. */
import type { HostArray, Pipeline, RunValues, Scalar } from "@groupwise/core";
import { type BinaryOp, PipelineNodes, SCALARS } from "@groupwise/core/target";
import { TYPES as ELEMENTS, typesOf } from "../data/collectives.ts";
import { expressionsOf } from "../data/expressions.ts";
import { randomOf } from "../data/random.ts";
import { doubles } from "../hard/doubles.ts";
import { integers } from "../hard/integers.ts";
import type { Effort, Subject } from "../subject/subject.ts";
import { type Check, withOperands } from "./check.ts";

/** Pairs of each operator. */
const PAIRS: Readonly<Record<Effort, number>> = { quick: 4096, normal: 2 ** 18, full: 2 ** 21 };
/** Pairs of a run, limited by the memory of the reference. */
const RUN = 2 ** 17;

const TYPES = ["i64", "u64", "f64"] as const;
const OPS: readonly BinaryOp[] = ["add", "mul", "min", "max", "lt", "eq"];

function pipelineOf(type: Scalar): Pipeline {
  const list = new PipelineNodes();
  const [x, y] = [list.input("x", type), list.input("y", type)];
  const made = OPS.map((op) => [`${op}_out`, list.binary(op, x, y)] as const);
  for (const [name, of] of made) list.output(name, of);
  return list.pipeline(`pairs-${type}`, [64]);
}

async function pairs(subject: Subject, type: Scalar): Promise<readonly string[]> {
  const pipeline = pipelineOf(type);
  await subject.compile(pipeline);
  const random = randomOf("pairs", type);
  const failures: string[] = [];
  for (let left = PAIRS[subject.effort]; left > 0 && failures.length === 0; left -= RUN) {
    const words = (type === "f64" ? doubles : integers)(Math.min(left, RUN), () => random.bits());
    const [x, y] = words.map(({ buffer }) => new SCALARS[type].array(buffer as never)) as [
      HostArray,
      HostArray,
    ];
    failures.push(...withOperands(await subject.compare(pipeline, { x, y }), { x, y }, type));
  }
  return failures;
}

/**
 * Every half as the left operand, and as the operand of unary operators; the right operands are the same values in another
 * order.
 */
async function halves(subject: Subject): Promise<readonly string[]> {
  const pipeline = expressionsOf("f16", typesOf(subject.runtime.capabilities));
  await subject.compile(pipeline);
  const all = Uint16Array.from({ length: 65_536 }, (_, bits) => bits);
  const runs = { quick: 1, normal: 1, full: 16 }[subject.effort];
  const failures: string[] = [];
  for (let run = 0; run < runs && failures.length === 0; run++) {
    const random = randomOf("halves", run);
    const y = all.map(() => all[random.int(0, all.length - 1)] as number);
    const which = Uint8Array.from(all, () => random.int(0, 1));
    const values: RunValues = { x: all, y, by: new Uint32Array(all.length), which };
    failures.push(...withOperands(await subject.compare(pipeline, values), values, "f16"));
  }
  return failures;
}

/** One check per type of 64 bits, and one of all halves. */
export function operandChecks(): readonly Check[] {
  return [
    ...TYPES.map((type) => ({
      name: `hard and random pairs of ${type}, very many`,
      pipelines: () => [pipelineOf(type)],
      run: (subject: Subject) => pairs(subject, type),
    })),
    {
      name: "each of the 65,536 values of f16, by every operator and to every type",
      pipelines: () => [expressionsOf("f16", ELEMENTS)],
      run: halves,
    },
  ];
}
