/** The types of an emitted module. */
import { countOf } from "@groupwise/ir/base/formula.js";
import { spellNames } from "@groupwise/kernel/print/names.js";
import { commentText, Text } from "@groupwise/kernel/print/text.js";
import { inputsOf, tablesOf } from "../checks/host.ts";
import { userParams } from "../checks/user-values.ts";
import { headOf } from "../plan/head.ts";
import type { Manifest } from "../plan/manifest.ts";
import { functionName, hostArray, hostType } from "./entry.ts";
import { isReservedInModule } from "./keywords.ts";

/** The first lines of an emitted file. */
export function printModuleHead(text: Text, manifest: Manifest): void {
  for (const line of headOf(manifest)) text.line(`// ${commentText(line)}`);
}

/**
 * The text of the `.d.mts`.
 * @param printOthers prints the declarations of what the module exports besides its function
 */
export function printModuleTypes(manifest: Manifest, printOthers: (text: Text) => void): string {
  const text = new Text();
  printModuleHead(text, manifest);
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
  printOthers(text);
  return spellNames(text.toString(), isReservedInModule, new Set());
}
