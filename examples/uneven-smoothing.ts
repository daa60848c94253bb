/**
 * An exponential moving average of a series with items at uneven times: the longer the gap, the lower the weight of earlier
 * items.
 *
 *   npm run example -- uneven-smoothing
 *   npm run example -- uneven-smoothing FILE.csv:COLUMN --target opencl
 *
 * The first column of the file holds times that JavaScript's Date reads, in ascending or descending order.
 *
 * Why a scan: y[i] = a[i] · y[i-1] + (1 - a[i]) · x[i] with a[i] = e^(-Δt/τ) is an affine map of y[i-1], and the composition
 * of two such maps is such a map again. The scan of the maps supports any gaps, also of different orders of magnitude.
 *
 * Shapes: in, `x`, f32, and `time`, u32, seconds since the first item, one for each item; the parameter `tau`, f32, in
 * seconds. Out, `smoothed`, f32, one for each item. exp is correctly rounded and the order of combining is fixed, so every
 * device returns the same bits. A loop rounds differently, and agrees within about 1e-6 of the greatest value.
 *
 * Look at: after a gap of hours the average is almost equal to the next value; within a swarm it changes slowly.
 *
 * Source: Müller, "Specially weighted moving averages with repeated application of the EMA operator" (1991), for
 * inhomogeneous series; Blelloch, "Prefix sums and their applications" (1990), 1.4.
 */
import { f32, operators, param, pipeline, select, u32 } from "@groupwise/dsl";
import { columnsOf } from "./support/columns.ts";
import { run, type Session } from "./support/program.ts";

const maps = operators.affine(f32);

const smoothing = pipeline(
  "uneven-smoothing",
  { x: f32, time: u32, tau: param(f32) },
  ({ x, time, tau }, { index }) => {
    const gap = time.sub(time.at(index().sub(1))).toF32();
    const isFirst = index().eq(0);
    const kept = select(isFirst, 0, gap.div(tau).neg().exp()); // the first item ignores earlier items
    const b = x.mul(f32(1).sub(kept));
    return { smoothed: maps.scanInclusive({ a: kept, b }).b };
  },
);
export default smoothing;

export const source = "data/earthquakes.csv:mag";
const TAU = 6 * 3600;

export interface Smoothed {
  /** Rows of the file in ascending order of time. */
  readonly rows: readonly number[];
  readonly smoothed: Float32Array;
}

export async function main(session: Session): Promise<Smoothed> {
  const columns = await columnsOf(session);
  const dates = columns.texts(columns.names[0] ?? "");
  const times = dates.map((text) => Date.parse(text) / 1000);
  const isDescending = (times[0] ?? 0) > (times.at(-1) ?? 0);
  const rows = isDescending ? [...times.keys()].reverse() : [...times.keys()];
  const first = times[rows[0] ?? 0] ?? 0;
  const seconds = rows.map((row) => Math.floor((times[row] ?? Number.NaN) - first));
  const wrong = seconds.findIndex((time, i) => !(time >= (seconds[i - 1] ?? 0)));
  if (wrong >= 0)
    throw new Error(
      `row ${(rows[wrong] ?? 0) + 1}: ${dates[rows[wrong] ?? 0]} is not a time, or out of order`,
    );

  const values = columns.numbers(session.column);
  const x = Float32Array.from(rows, (row) => values[row] ?? 0);
  const time = Uint32Array.from(seconds);
  const { smoothed } = await run(session.runtime, smoothing, { x, time, tau: TAU });
  session.print(
    `${session.column}, every 20th row in order of time: as it is, and smoothed with τ = ${TAU / 3600} h`,
  );
  for (let i = 0; i < x.length; i += 20)
    session.print(
      `${dates[rows[i] ?? 0]} ${(x[i] ?? 0).toFixed(2).padStart(7)} ${(smoothed[i] ?? 0).toFixed(3).padStart(8)}`,
    );
  return { rows, smoothed };
}
