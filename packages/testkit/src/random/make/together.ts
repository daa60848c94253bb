/** Cases of one range as one pipeline. */
import type { Operator } from "@groupwise/core";
import { mapOperands, PipelineNodes } from "@groupwise/core/target";
import type { RandomCase } from "./case.ts";

/** Cases in a row that have the same range and the same kind of data, so that they can run together. */
const COMPANY = 16;
const LETTERS = "abcdefghijklmnop";

/** The company of the case of a number: the cases of a block are together, and names begin with a prefix, so that values are the same alone. */
export const companyOf = (number: number): { readonly block: number; readonly prefix: string } => ({
  block: Math.floor(number / COMPANY),
  prefix: LETTERS[number % COMPANY] as string,
});

/** The most cases from a number on that can run together. */
export const mostTogether = (number: number): number => COMPANY - (number % COMPANY);

/** The nodes, parameters and tables of all, over the range of the first. */
export function together(cases: readonly RandomCase[]): RandomCase {
  const [first] = cases;
  if (cases.length === 1 && first) return first;
  const operators: Operator[] = [];
  const list = new PipelineNodes();
  for (const { pipeline } of cases) {
    const start = list.nodes.length;
    const places = (pipeline.operators ?? []).map((operator) => {
      const known = operators.indexOf(operator);
      return known >= 0 ? known : operators.push(operator) - 1;
    });
    for (const node of pipeline.nodes) {
      const own = mapOperands(node, (id) => id + start);
      list.add(own.kind === "user-collective" ? { ...own, operator: places[own.operator] as number } : own);
    }
  }
  const { pipeline, run } = first as RandomCase;
  const params = Object.assign({}, ...cases.map((one) => one.run.params));
  const tables = Object.assign({}, ...cases.map((one) => one.run.tables));
  const all = { ...pipeline, nodes: list.nodes, ...(operators.length > 0 && { operators }) };
  return { pipeline: all, run: { ...run, params, tables } };
}
