/** Names of documents meet no word of emitted JavaScript: modules load, and give what the reference gives. */
import { type Artifact, check, emit, type RunOptions, type RunOutputs } from "@groupwise/core";
import {
  allNames,
  coveringCases,
  expected,
  isName,
  type Named,
  namedCase,
  namesIn,
  TURNS,
  withNames,
} from "@groupwise/testkit";
import { effortOf } from "@groupwise/testkit/conformance";
import { describe, expect, test } from "vitest";
import { js } from "../src/index.ts";

const importText = ({
  files,
}: Artifact): Promise<{ default: (values: unknown, options: RunOptions) => RunOutputs }> =>
  import(`data:text/javascript,${encodeURIComponent(files[0]?.text ?? "")}`);

async function compare({ ir, values }: Named): Promise<void> {
  const sides = ir.workGroupSize.length;
  const n = 3 ** sides;
  const options = sides === 1 ? { n } : { globalSize: ir.workGroupSize.map(() => 3) };
  const given = values(n);
  const module = await importText(emit(ir, js));
  expect(module.default(given, options), ir.name).toEqual(expected(check(ir), given, options));
}

const wordsOf = (ir: Named["ir"]): readonly string[] => namesIn([emit(ir, js).files[0]?.text ?? ""]);

describe("names that are", () => {
  // The cases with most words are found by emitting all: outside of full runs three that have most.
  const most = ["functions", "composed", "narrow-scans"].map(namedCase);
  const cover = effortOf() === "full" ? coveringCases(wordsOf, Number.POSITIVE_INFINITY) : most;
  test.each(cover.map((one) => [one.ir.name, one] as const))("words of the module of %s", async (_, one) => {
    for (let turn = 0; turn < TURNS; turn++) await compare(withNames(one, wordsOf(one.ir), turn));
  });

  test("globals and reserved words", async () => {
    const reserved =
      "arguments async await break case catch class const continue debugger default delete do else enum eval export " +
      "extends false finally for from function get if implements import in instanceof interface let meta new null of " +
      "package private protected public return set static super switch target this throw true try typeof undefined var " +
      "void while with yield as satisfies any number string boolean never unknown object symbol bigint";
    const words = [...new Set([...reserved.split(" "), ...Object.getOwnPropertyNames(globalThis)])];
    for (const one of allNames(words.filter(isName), 150)) await compare(one);
  });
});
