/** The documents of all pairs of nodes: they have every pair that the rules of documents allow, and are the same alone and together. */
import {
  check,
  type Pipeline,
  type PipelineNode,
  problemsOf,
  SCALAR_NAMES,
  type Scalar,
} from "@groupwise/core";
import { describe, expect, test } from "vitest";
import { isFullRun, onlyInFullRuns } from "../src/conformance.ts";
import { PAIRS, pairsCase, pairsOf, roundOf, SEED } from "../src/random/index.ts";
import { OPERATORS } from "../src/random/make/operators.ts";
import { together } from "../src/random/make/together.ts";
import { type DocumentPlace, FORMS, type Form, type Loose } from "../src/random/pairs/forms.ts";
import {
  type NodeOperand,
  OPERANDS,
  operandKey,
  ratesOf,
  USES,
  type Use,
} from "../src/random/pairs/table.ts";

const ALL = FORMS[0] as readonly Form[];
/** Fewer than the problems that the checker reports of one document. */
const USERS = 90;

/** The forms that give an operand. */
const formsOf = (operand: NodeOperand): readonly Form[] =>
  ALL.filter(
    (form) =>
      form.kind === operand.kind && form.type === operand.type && ratesOf(form).includes(operand.rate),
  );

/** The least document that has an operand: constants of each type, sources of each rate, and the operand. */
class Minimal implements DocumentPlace {
  readonly dimensions = 1;
  readonly nodes: Loose[] = [];
  private readonly operators: number[] = [];
  private readonly constants = new Map<Scalar, number>();
  readonly operand: number;

  constructor(operand: NodeOperand, form: Form = formsOf(operand)[0] as Form) {
    for (const type of SCALAR_NAMES)
      this.constants.set(type, this.add({ kind: "const", type, value: this.literal(type) }));
    const exact = form.rate === "index" ? form.slots.length - 1 : form.rate === "operands" ? 0 : -1;
    const ids = form.slots.map(({ type }, i) =>
      i === exact ? this.source(type, operand.rate) : this.constant(type),
    );
    this.operand = this.add(form.node(ids, this));
  }
  add(node: Loose): number {
    return this.nodes.push({ id: this.nodes.length, ...node }) - 1;
  }
  constant(type: Scalar): number {
    return this.constants.get(type) as number;
  }
  private source(type: Scalar, rate: NodeOperand["rate"]): number {
    if (rate === "uniform") return this.constant(type);
    const query = rate === "group" ? "group-id" : "local-id";
    const of = this.add({ kind: "query", query, dimension: 0 });
    return type === "u32" ? of : this.add({ kind: "cast", to: type, of });
  }
  name(): string {
    return `v${this.nodes.length}`;
  }
  number(): number {
    return 0;
  }
  literal(type: Scalar): unknown {
    return type === "bool" ? false : type === "i64" || type === "u64" ? "0" : 0;
  }
  table(type: Scalar): number {
    return this.add({ kind: "table", name: this.name(), type });
  }
  operator(number: number): number {
    const known = this.operators.indexOf(number);
    return known >= 0 ? known : this.operators.push(number) - 1;
  }
  document(): Pipeline {
    const nodes = [...this.nodes, { id: this.nodes.length, kind: "output", name: "out", of: this.operand }];
    const head = { format: "groupwise-pipeline", version: 1, name: "least", workGroupSize: [2] };
    return { ...head, nodes, operators: this.operators.map((own) => OPERATORS[own]) } as unknown as Pipeline;
  }
}

/** The node of a use that has the operand in its place, whether or not the type fits. */
function userOf(use: Use, least: Minimal): number {
  const isPlace = ({ name, type }: Form["slots"][number]): boolean =>
    name === use.slot.name && type === use.slot.type;
  const form = ALL.find(
    ({ kind, type, slots }) => kind === use.kind && type === (use.type ?? type) && slots.some(isPlace),
  ) as Form;
  const at = form.slots.findIndex(isPlace);
  const isOptional = (name: string): boolean => ["where", "length", "capacity"].includes(name);
  const ids = form.slots.map(({ name, type }, i) =>
    i === at ? least.operand : isOptional(name) ? undefined : least.constant(type),
  );
  return least.add(form.node(ids as number[], least));
}

/** The pairs of an operand that the checker allows: each place of each node has it in turn. */
function allowed(operand: NodeOperand, form: Form): string[] {
  const pairs: string[] = [];
  for (let from = 0; from < USES.length; from += USERS) {
    const least = new Minimal(operand, form);
    const users = USES.slice(from, from + USERS).map((use) => ({ use, id: userOf(use, least) }));
    const refused = new Set(
      problemsOf(least.document()).map(({ where }) => Number(/^node (\d+)/.exec(where)?.[1] ?? Number.NaN)),
    );
    expect(refused).not.toContain(Number.NaN);
    const accepted = new Minimal(operand, form);
    for (const { use, id } of users) if (!refused.has(id)) userOf(use, accepted);
    pairs.push(...pairsOf(check(accepted.document())));
  }
  return pairs;
}

describe("documents of pairs", () => {
  test("operands have the types and rates that their forms state", () => {
    for (const operand of OPERANDS) {
      const least = new Minimal(operand);
      const { types, uniformities } = check(least.document());
      const { operand: id } = least;
      expect(
        operandKey({ ...operand, type: types[id] as Scalar, rate: uniformities[id] as NodeOperand["rate"] }),
      ).toBe(operandKey(operand));
    }
  });

  test("the forms allow the pairs that the checker allows, and no others", () => {
    // A message for each refused pair, without the calls that led to it.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    // A third of the operands outside of full runs: wrong documents fail in every test that runs them.
    const operands = OPERANDS.filter((_, i) => isFullRun() || i % 3 === 0);
    const found = new Set(
      operands.flatMap((operand) => {
        const forms = formsOf(operand);
        // Rules about numbers of the host depend on the operator, all others on the kind.
        const some = forms.slice(0, operand.type === "u32" && operand.rate === "uniform" ? 12 : 1);
        return some.flatMap((form) => allowed(operand, form));
      }),
    );
    Error.stackTraceLimit = limit;
    const keys = new Set(operands.map(operandKey));
    const isTried = (pair: string): boolean => keys.has(pair.split(" → ")[0] as string);
    const known = new Set(PAIRS.filter(isTried));
    expect([...found].filter((pair) => isTried(pair) && !known.has(pair))).toEqual([]);
    expect([...known].filter((pair) => !found.has(pair))).toEqual([]);
  });

  // Those that JavaScript runs.
  test("one round of documents has all pairs", (context) => {
    onlyInFullRuns(context, "only full runs have a whole round");
    const left = new Set(PAIRS);
    for (let i = 0; i < roundOf("large"); i++)
      for (const pair of pairsOf(check(pairsCase("large", SEED, i).pipeline))) left.delete(pair);
    expect([...left]).toEqual([]);
  });

  test("documents together have the pairs that they have alone", () => {
    const cases = Array.from({ length: 16 }, (_, i) => pairsCase("small", SEED, i));
    const { pipeline, run } = together(cases);
    expect(pairsOf(check(pipeline))).toEqual(cases.flatMap((one) => pairsOf(check(one.pipeline))));
    for (const one of cases) {
      expect(one.run.seed).toBe(run.seed);
      const arrays = one.pipeline.nodes.filter(
        (node): node is PipelineNode & { name: string } => "name" in node,
      );
      for (const { name } of arrays)
        expect(pipeline.nodes.filter((node) => "name" in node && node.name === name)).toHaveLength(1);
    }
  });
});
