/**
 * The softmax of every group of rows, e^x / Σ e^x, and the logarithm of its sum, in one pipeline.
 *
 *   npm run example -- softmax
 *   npm run example -- softmax FILE.csv:COLUMN --target wgsl
 *
 * The rows of a group are consecutive: here those of a month, identified by the first seven characters of the first column.
 *
 * Why a reduce by segments: each group needs its greatest value, so that no power overflows, and then the sum of its
 * powers. With `keys` every item gets the result of its own group, for groups of any length.
 *
 * Shapes: in, `x`, f32, and `key`, u32, one for each row. Out, one for each row, f32: `share`, its softmax in its
 * group, and `logSum`, log Σ e^x of its group. exp and log are correctly rounded and sums have a fixed order, so every
 * device returns the same bits.
 *
 * Look at: a day that is a degree warmer than another has e times its share, so a month's hottest days have almost all of it.
 *
 * Source: Blanchard, Higham, Higham, "Accurately computing the log-sum-exp and softmax functions" (2021), algorithms 3.1
 * and 3.2: shifted by the greatest.
 */
import { f32, pipeline, u32 } from "@groupwise/dsl";
import { columnsOf } from "./support/columns.ts";
import { run, type Session } from "./support/program.ts";

const softmax = pipeline("softmax", { x: f32, key: u32 }, ({ x, key }) => {
  const most = x.reduce("max", { keys: key });
  const power = x.sub(most).exp();
  const sum = power.reduce("add", { keys: key });
  return { share: power.div(sum), logSum: most.add(sum.log()) };
});
export default softmax;

export const source = "data/seattle-weather.csv:temp_max";

export interface Shares {
  readonly share: Float32Array;
  readonly logSum: Float32Array;
}

export async function main(session: Session): Promise<Shares> {
  const columns = await columnsOf(session);
  const x = columns.numbers(session.column);
  const rows = columns.texts(columns.names[0] ?? "");
  const names = rows.map((text) => text.slice(0, 7));
  const numbers = new Map([...new Set(names)].map((name, i) => [name, i]));
  const key = Uint32Array.from(names, (name) => numbers.get(name) ?? 0);

  const { share, logSum } = await run(session.runtime, softmax, { x, key });
  session.print(`${session.column}: rows that hold at least half of their group's softmax`);
  for (const [i, part] of share.entries())
    if (part >= 0.5)
      session.print(
        `  ${rows[i]} ${(x[i] ?? 0).toFixed(1).padStart(6)} ${(100 * part).toFixed(1).padStart(5)} %, log of the sum ${(logSum[i] ?? 0).toFixed(3)}`,
      );
  return { share, logSum };
}
