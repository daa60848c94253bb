/** The matrix of equivalence from the JSON of `bench equivalence`. */
import { z } from "zod";
import type { MatrixCell } from "./plots.ts";

const shape = z.object({
  devices: z.array(z.object({ label: z.string() })),
  rows: z.array(
    z.object({
      scope: z.string(),
      function: z.string(),
      type: z.string(),
      cells: z.array(z.object({ status: z.enum(["equal", "differs", "not supported"]) })),
    }),
  ),
});

const RANK: Readonly<Record<string, number>> = { differs: 2, "not supported": 1, equal: 0 };

/** A cell for each function and device, the worst of its types and shapes; undefined if the JSON is of another kind. */
export function matrixCellsOf(json: unknown): readonly MatrixCell[] | undefined {
  const read = shape.safeParse(json);
  if (!read.success) return undefined;
  const worst = new Map<string, MatrixCell>();
  for (const row of read.data.rows)
    row.cells.forEach(({ status }, i) => {
      const what = `${row.scope}: ${row.function}, ${row.type}`;
      const device = read.data.devices[i]?.label ?? `device ${i}`;
      const key = JSON.stringify([what, device]);
      const known = worst.get(key);
      if (!known || (RANK[status] ?? 0) > (RANK[known.status] ?? 0)) worst.set(key, { what, device, status });
    });
  return [...worst.values()];
}
