/**
 * Mean and standard deviation of everything up to each row, in one pass and without cancellation.
 *
 *   npm run example -- running-deviation
 *   npm run example -- running-deviation FILE.csv:COLUMN --target opencl
 *
 * Why a scan: Welford's operator combines (count, mean, sum of squared differences) of two parts to those of both, so its
 * scan computes them for every prefix of the series. The deviation is the square root of the variance, item by item.
 *
 * Shapes: in, `x`, f32, one for each row. Out, one for each row: `mean` and `deviation`, f32; the deviation of the
 * first row is 0. Square roots are correctly rounded and the order of combining is fixed, so every device returns the same bits.
 *
 * Look at: the mean becomes stable after some years, the deviation after one summer and one winter.
 *
 * Source: Welford, "Note on a method for calculating corrected sums of squares and products" (1962); Chan, Golub, LeVeque
 * (1979) for parts of any size.
 */
import { f32, operators, pipeline, select } from "@groupwise/dsl";
import { columnsOf } from "./support/columns.ts";
import { run, type Session } from "./support/program.ts";

const deviation = pipeline("running-deviation", { x: f32 }, ({ x }, { index }) => {
  const moments = operators.welford(f32).scanInclusive(operators.moments(x));
  const variance = select(index().eq(0), 0, operators.sampleVariance(moments).toF32());
  return { mean: moments.mean, deviation: variance.sqrt() };
});
export default deviation;

export const source = "data/seattle-weather.csv:temp_max";

export interface Running {
  readonly mean: Float32Array;
  readonly deviation: Float32Array;
}

export async function main(session: Session): Promise<Running> {
  const columns = await columnsOf(session);
  const x = columns.numbers(session.column);
  const { mean, deviation: spread } = await run(session.runtime, deviation, { x });
  session.print(`${session.column}, mean ± deviation up to every 30th row`);
  for (let i = 0; i < x.length; i += 30)
    session.print(
      `${String(i).padStart(6)} ${(mean[i] ?? 0).toFixed(2).padStart(7)} ± ${(spread[i] ?? 0).toFixed(2)}`,
    );
  return { mean, deviation: spread };
}
