/**
 * A series smoothed exponentially: y[0] = x[0], y[i] = (1 - α) · y[i-1] + α · x[i].
 *
 *   npm run example -- exponential-smoothing
 *   npm run example -- exponential-smoothing FILE.csv:COLUMN --target opencl
 *
 * Why a scan: each result depends on the previous one, which suggests a loop. But a step is a map y ↦ a · y + b, and the
 * composition of two such maps is such a map again: (a₂, b₂) after (a₁, b₁) is (a₂ · a₁, a₂ · b₁ + b₂). So the scan of the
 * maps solves any linear recurrence of the first order. Composition is not commutative: the earlier map is applied first.
 *
 * Shapes: in, `x`, f32, one for each day, and the parameter `alpha`, f32, from 0 to 1. Out, `smoothed`, f32, one for
 * each day. The order of combining is fixed, so every device returns the same bits. A loop rounds differently, and agrees
 * within about 1e-6 of the greatest value.
 *
 * Look at: the smoothed temperature follows the seasons, about 1/α days later.
 *
 * Source: Brown, "Exponential smoothing for predicting demand" (1956); Blelloch, "Prefix sums and their applications" (1990), 1.4.
 */
import { f32, operators, param, pipeline, select } from "@groupwise/dsl";
import { columnsOf } from "./support/columns.ts";
import { run, type Session } from "./support/program.ts";

const maps = operators.affine(f32);

const smoothing = pipeline(
  "exponential-smoothing",
  { x: f32, alpha: param(f32) },
  ({ x, alpha }, { index }) => {
    const isFirst = index().eq(0);
    const a = select(isFirst, 0, f32(1).sub(alpha)); // the first map ignores earlier items
    const b = select(isFirst, x, x.mul(alpha));
    return { smoothed: maps.scanInclusive({ a, b }).b };
  },
);
export default smoothing;

export const source = "data/seattle-weather.csv:temp_max";
const ALPHA = 1 / 16;

export async function main(session: Session): Promise<Float32Array> {
  const columns = await columnsOf(session);
  const x = columns.numbers(session.column);
  const { smoothed } = await run(session.runtime, smoothing, { x, alpha: ALPHA });

  const [least, greatest] = [Math.min(...x), Math.max(...x)];
  const place = (value: number): number => Math.round((60 * (value - least)) / (greatest - least || 1));
  session.print(`${session.column}, every 30th row: x as it is, o smoothed with α = 1/${1 / ALPHA}`);
  for (let i = 0; i < x.length; i += 30) {
    const [raw, soft] = [x[i] ?? 0, smoothed[i] ?? 0];
    const line = Array.from({ length: 61 }, (_, at) =>
      at === place(soft) ? "o" : at === place(raw) ? "x" : " ",
    );
    session.print(
      `${String(i).padStart(6)} ${raw.toFixed(1).padStart(7)} ${soft.toFixed(2).padStart(7)} |${line.join("")}|`,
    );
  }
  return smoothed;
}
