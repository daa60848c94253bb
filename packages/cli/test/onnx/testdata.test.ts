/** ONNX's own test data, of the Debian package libonnx-testdata: what is taken is equal, and the rest is refused by name. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { onlyInFullRuns, requireDevice } from "@groupwise/testkit/conformance";
import { unpacked } from "@groupwise/testkit/packed";
import { expect, test } from "vitest";
import { testsIn, type Verdict, verdictOf } from "./testdata.ts";

/** Debian's release whose package has ONNX 1.20: 1,653 node tests. */
const RELEASE = "forky";

/** A reason without names and numbers, so that the same ones are counted together. */
const kindOf = (reason: string): string =>
  reason
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, "…")
    .replaceAll(/\[[^\]]*\]/g, "[…]")
    .replaceAll(/\d+/g, "…");

function printed(verdicts: readonly Verdict[]): string {
  const refused = verdicts.flatMap((one) =>
    one.kind === "refused" ? [...new Set(one.reasons.map(kindOf))] : [],
  );
  const counts = new Map<string, number>();
  for (const reason of refused) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const rows = [...counts].sort(([, a], [, b]) => b - a).slice(0, 25);
  return rows.map(([reason, count]) => `${String(count).padStart(5)}  ${reason}`).join("\n");
}

test("the node tests of ONNX that are taken are equal", async (context) => {
  onlyInFullRuns(context, "a sample is in models.test.ts, and exports are imported in export.test.ts");
  const folder = await requireDevice(context, () => unpacked("libonnx-testdata", RELEASE));
  const data = join(folder, "share/libonnx-testdata/data");
  for (const group of readdirSync(data)) {
    const verdicts: Verdict[] = [];
    const differs: string[] = [];
    for (const one of testsIn(join(data, group))) {
      const verdict = await verdictOf(one);
      verdicts.push(verdict);
      if (verdict.kind === "differs") differs.push(`${one.name}: ${verdict.how}`);
    }
    const equal = verdicts.filter(({ kind }) => kind === "equal");
    const set = equal.filter((one) => one.kind === "equal" && one.set > 0).length;
    console.log(
      `${group}: ${verdicts.length} tests, ${equal.length} equal, ${set} of them with constants by --set\n${printed(verdicts)}`,
    );
    expect(differs).toEqual([]);
    if (group === "node") expect(equal.length).toBeGreaterThanOrEqual(900);
  }
});
