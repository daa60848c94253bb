/** The types of an emitted module. */
import type { Manifest } from "@groupwise/core";
import { commentText, headOf, marked, memoryOf, spellNames, Text } from "@groupwise/core/kernel";
import { countOf, inputsOf, tablesOf, userParams } from "@groupwise/core/target";
import { functionName } from "../print/entry.ts";
import { isReserved } from "../print/keywords.ts";
import { arrayOf, hostArray, hostType } from "../print/spelling.ts";

/** The first lines of an emitted file. */
export function printHead(text: Text, manifest: Manifest): void {
  for (const line of headOf(manifest)) text.line(`// ${commentText(line)}`);
}

/** The text of the `.d.mts`. */
export function printTypes(manifest: Manifest): string {
  const text = new Text();
  printHead(text, manifest);
  const inputs = inputsOf(manifest);
  const outputs = manifest.bindings.filter((b) => b.role === "output" && !b.hidden);
  const users = userParams(manifest);
  text.block("export interface Values {", () => {
    for (const { name, binding } of inputs) text.line(`readonly ${name}: ${hostArray(binding.type)};`);
    for (const b of tablesOf(manifest))
      text.line(`/** of any length */ readonly ${b.name}: ${hostArray(b.type)};`);
    for (const p of users) text.line(`readonly ${p.name}: ${hostType(p.type)};`);
  });
  text.block("export interface Outputs {", () => {
    for (const b of outputs) {
      text.line(
        `/** ${b.lengthFrom ? `the number of elements is in ${b.lengthFrom}` : countOf(b.elements, "element")} */`,
      );
      text.line(`readonly ${b.name}: ${hostArray(b.type)};`);
    }
  });
  const isLine = manifest.workGroupSize.length === 1;
  const offset = manifest.params.some((p) => p.role === "offset")
    ? "; readonly globalOffset?: readonly number[]"
    : "";
  const [about, size] = isLine
    ? ["over n items: the length of the inputs, or `options.n`", "options?: { readonly n?: number"]
    : ["over `options.globalSize` items", "options: { readonly globalSize: readonly number[]"];
  text.line(`/** Runs the pipeline ${about}. */`);
  text.line(
    `export default function ${functionName(manifest.pipeline)}(values: Values, ${size}${offset} }): Outputs;`,
  );
  const scalars = manifest.params.map((p) => `${marked(p.name)}: ${hostType(p.type)}`);
  const arrays = manifest.bindings.map((b) => `${marked(b.name)}: ${arrayOf(memoryOf(b))}`);
  text.line("/** The loops only: the caller provides every array, and none is checked. */");
  text.line(`export function kernel(${[...scalars, ...arrays].join(", ")}): void;`);
  return spellNames(text.toString(), isReserved, new Set());
}
