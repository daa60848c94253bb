/** Names of documents meet no word of emitted WGSL, and none of the language: compilers take the text. */
import { type EmitOptions, emit, type Pipeline } from "@groupwise/core";
import { allNames, coveringCases, isName, namedCase, namesIn, TURNS, withNames } from "@groupwise/testkit";
import { deviceTest, effortOf } from "@groupwise/testkit/conformance";
import { checkWithNaga, checkWithTint, findDeno, type ReportedFile } from "@groupwise/testkit/devices";
import { describe, expect } from "vitest";
import { wgsl } from "../src/index.ts";
import { isReserved } from "../src/print/keywords.ts";
import { dawn } from "./devices.ts";
import { PREDECLARED } from "./predeclared.ts";

const isFull = effortOf() === "full";
/** Outside of full runs in one text, which has the words of each of them. */
const OPTIONS: readonly EmitOptions[] = isFull
  ? [{}, { lookBack: true }, { types: ["f16"] }, { subgroups: true }]
  : [{}, { lookBack: true, types: ["f16"], subgroups: true }];
const textOf = (ir: Pipeline, options: EmitOptions = {}): string =>
  emit(ir, wgsl, options).files[0]?.text ?? "";
const wordsOf = (ir: Pipeline, all: readonly EmitOptions[] = [{}]): readonly string[] =>
  namesIn(all.map((options) => textOf(ir, options)));

// The cases with most words are found by emitting all: outside of full runs one that has functions of every float.
const cases = isFull ? coveringCases((ir) => wordsOf(ir), 8) : [namedCase("functions")];
const ofText: readonly ReportedFile[] = cases.flatMap((one) => {
  const words = wordsOf(one.ir, OPTIONS);
  return Array.from({ length: isFull ? TURNS : OPTIONS.length }, (_, turn) => {
    const { ir } = withNames(one, words, turn);
    return { name: `${ir.name} ${turn}`, code: textOf(ir, OPTIONS[turn % OPTIONS.length]) };
  });
});
const ofLanguage: readonly ReportedFile[] = allNames(PREDECLARED.filter(isName), isFull ? 400 : 100).map(
  ({ ir }, i) => ({
    name: `${ir.name} ${i}`,
    code: textOf(ir),
  }),
);

describe("names that are words of the text or of the language", () => {
  deviceTest("Tint takes", dawn, async (device) => {
    expect(ofLanguage.length).toBeGreaterThan(2);
    const reports = await checkWithTint(device, [...ofText, ...ofLanguage]);
    expect(reports.filter(({ ok }) => !ok)).toEqual([]);
  });

  deviceTest("Tint takes, but for those that are reserved", dawn, async (device) => {
    const line = (name: string): string => `const ${name} = 1;`;
    const names = PREDECLARED.filter(isName);
    // Outside of full runs in one text.
    const sources = isFull
      ? names.map((name) => ({ name, code: line(name) }))
      : [
          {
            name: "all",
            code: names
              .filter((name) => !isReserved(name))
              .map(line)
              .join("\n"),
          },
        ];
    const reports = await checkWithTint(device, sources);
    expect(
      reports
        .filter(({ ok }) => !ok)
        .map(({ name }) => name)
        .filter((name) => !isReserved(name)),
    ).toEqual([]);
  });

  deviceTest(
    "naga takes",
    () => findDeno("lavapipe"),
    async () => {
      // This naga does not know `enable subgroups;` yet.
      // Outside of full runs Tint alone has the words of texts: words of the language differ among front ends.
      const files = [...(isFull ? ofText : []), ...ofLanguage].filter(
        ({ code }) => !/^enable subgroups;$/m.test(code),
      );
      const reports = await checkWithNaga(files, { adapter: "lavapipe" });
      expect(reports.filter(({ ok }) => !ok)).toEqual([]);
    },
  );
});
