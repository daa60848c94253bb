/** Passes without collectives: four items to a work-item, as vector loads and stores. */
import { type Formula, formula } from "../../ir/base/formula.ts";
import { add, and, lt, mul, sub, u32 } from "../kernel/make-expr.ts";
import type { Kernel } from "../kernel/module.ts";
import { ROW } from "../kernel/stmt.ts";
import { siteAt } from "../parts/site.ts";
import { Values } from "../parts/values.ts";
import { type Context, makeKernel, toExpr } from "./context.ts";
import { sinksOf, writeItem, writeRow } from "./write-row.ts";

const rows: Formula = formula("floor-div", "n", ROW);
const rest: Formula = formula("sub", "n", formula("mul", rows, ROW));

/** The full rows of four, and the one to three items behind them, which no vector may reach past. */
export function mapKernels(context: Context, stage: number): Kernel[] {
  const { workGroupSize } = context.tiling;
  const sinks = sinksOf(context, stage, []);
  if (sinks.rows.length + sinks.materialized.length + sinks.items.length + sinks.groups.length === 0)
    return [];
  const groups = formula("ceil-div", rows, workGroupSize);
  const doc = [`Items in rows of ${ROW}, one row to a work-item.`];
  const map = makeKernel(context, { hint: "map", doc, workGroupSize, groups }, ({ code, lanes, group }) => {
    const row = code.let("row", add(mul(group, u32(workGroupSize)), lanes.lane));
    code.if(lt(row, toExpr(context, rows)), (then) => {
      const base = then.let("base", mul(row, u32(ROW)));
      writeRow(context, then, { base, sinks });
    });
  });
  const tail = makeKernel(
    context,
    {
      hint: "map_tail",
      doc: ["The items behind the last full row."],
      workGroupSize: ROW,
      groups: formula("min", rest, 1),
    },
    ({ code, lanes: { lane } }) => {
      const count = code.let("count", and(context.n, u32(ROW - 1)));
      code.if(lt(lane, count), (then) => {
        const item = then.let("i", add(sub(context.n, count), lane));
        writeItem(context, then, new Values(siteAt(context, item)), sinks);
      });
    },
  );
  return [map, { ...tail, apart: true }];
}
