/** Which checks prove which row of the specification, found in the pipelines that the checks run. */
import { type Check, checksOf } from "./checks/index.ts";
import { rowKey, rowsUsed, SPECIFICATION, type SpecificationRow } from "./data/specification.ts";

export interface ProvenRow extends SpecificationRow {
  /** Names of checks, those of a full run; each is a test of every device. */
  readonly provenBy: readonly string[];
}

/** Every row of the specification with the checks that run it. */
export function provenRows(checks: readonly Check[] = checksOf("full")): readonly ProvenRow[] {
  const byRow = new Map<string, string[]>();
  for (const { name, pipelines } of checks)
    for (const key of rowsUsed(pipelines?.() ?? [])) byRow.set(key, [...(byRow.get(key) ?? []), name]);
  return SPECIFICATION.map((row) => ({ ...row, provenBy: byRow.get(rowKey(row)) ?? [] }));
}
