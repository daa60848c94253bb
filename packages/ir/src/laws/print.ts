import { LIST, requireArguments, shaped, TEXT } from "../base/arguments.ts";
import type { Counterexample, Law, LawResult, OperatorLaws } from "./law.ts";
import type { NamedState } from "./state.ts";

const SIDES: Readonly<Record<Law, readonly [left: string, right: string]>> = {
  associative: ["(a ∘ b) ∘ c", "a ∘ (b ∘ c)"],
  commutative: ["a ∘ b", "b ∘ a"],
  "identity-left": ["identity ∘ a", "a"],
  "identity-right": ["a ∘ identity", "a"],
};
const DOMAINS: Readonly<Record<OperatorLaws["domain"], string>> = {
  fed: "on operands from the pipeline",
  all: "on arbitrary values",
};

const LAWS_FOUND = /*@__PURE__*/ shaped("one of the results of `pipelineLaws`", {
  operator: TEXT,
  fields: LIST,
  laws: LIST,
});

/**
 * The laws of an operator as text, one line a law, and the counterexamples.
 * @example
 * ```ts
 * import { operator, pipeline, u32 } from "@groupwise/dsl";
 * import { check } from "@groupwise/core";
 * import { pipelineLaws, printLaws } from "@groupwise/core/laws";
 *
 * const larger = operator("larger", u32, { combine: (left, right) => left.max(right), identity: 0, commutative: true });
 * const most = pipeline("most", { x: u32 }, ({ x }) => ({ y: larger.reduce(x) }));
 * for (const found of pipelineLaws(check(most.ir))) printLaws(found); // a line for each law
 * ```
 */
export function printLaws(found: OperatorLaws): string {
  requireArguments(arguments, "printLaws", { laws: LAWS_FOUND });
  const { operator, fields, domain, laws } = found;
  const shape = fields.map(({ name, type }) => `${name}: ${type}`).join(", ");
  const lines = [`operator ${operator} { ${shape} }, ${DOMAINS[domain]}`, ...laws.flatMap(printLaw)];
  return `${lines.join("\n")}\n`;
}

function printLaw(result: LawResult): string[] {
  const { law, claimed, ok, counterexample, nonFinite } = result;
  const lines = [`  ${`${law}:`.padEnd(16)}${verdict(result)}`];
  if (counterexample && claimed) lines.push(...printExample(law, counterexample));
  if (nonFinite && claimed && ok) {
    lines.push("    exceptions with infinities or NaN:", ...printExample(law, nonFinite));
  }
  return lines;
}

function verdict({ claimed, held, ok, samples }: LawResult): string {
  const count = `${samples.toLocaleString("en-US")} samples`;
  if (held === false) return claimed ? "DOES NOT HOLD" : "no, and not claimed";
  const holds = held === true ? `holds, ${count}` : `holds ${held}, ${count}`;
  if (!ok) return `DOES NOT HOLD bit for bit (${held === true ? "NaN" : held}): declare commutative: false`;
  return claimed ? holds : `${holds}; not claimed`;
}

function printExample(law: Law, { a, b, c, left, right }: Counterexample): string[] {
  const [one, other] = SIDES[law];
  const rows: [string, NamedState][] = [["a", a]];
  if (b) rows.push(["b", b]);
  if (c) rows.push(["c", c]);
  rows.push([one, left]);
  if (other !== "a") rows.push([other, right]);
  return rows.map(([name, state]) => `    ${name.padEnd(12)} = ${printState(state)}`);
}

const printState = (state: NamedState): string =>
  `{ ${Object.entries(state)
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ")} }`;
