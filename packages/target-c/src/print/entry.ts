/** The function of a pipeline that checks its arguments and makes the other arrays. */
import type { Binding, Manifest } from "@groupwise/core";
import { type LaunchParam, marked, memoryOf, type Text } from "@groupwise/core/kernel";
import { partsOfFormula, tablesOf, userParams } from "@groupwise/core/target";
import { entryArguments, kernelArguments, lengthOf, printHead, printList, sidesOf } from "./arguments.ts";
import { checkedIn, printChecks } from "./checks.ts";
import { functionsOf, type SizeFunction, sizeInC } from "./formula.ts";
import { kernelOf, symbolOf } from "./names.ts";
import { elementType } from "./spelling/types.ts";

/** Prints the definition. */
export function printEntry(text: Text, manifest: Manifest): void {
  const { bindings } = manifest;
  printHead(text, `int ${symbolOf(manifest)}`, entryArguments(manifest), " {");
  text.indent(() => {
    printChecks(text, manifest);
    for (const name of unused(manifest)) text.line(`(void)${name};`);
    const [scratch, status] = [bindings.filter(isScratch), bindings.find(isStatus)];
    if (status) text.line(`uint32_t ${marked(status.name)}[${sizeInC(status.elements, manifest)}] = {0};`);
    for (const binding of scratch) allocate(text, binding, manifest);
    if (scratch.length === 0) {
      run(text, manifest);
      return text.line(`return ${resultOf(status)};`);
    }
    text.line("int result = GW_NO_MEMORY;");
    text.block(`if (${scratch.map(({ name }) => marked(name)).join(" && ")}) {`, () => {
      run(text, manifest);
      text.line(`result = ${resultOf(status)};`);
    });
    for (const { name } of scratch) text.line(`free(${marked(name)});`);
    text.line("return result;");
  });
  text.line("}");
}

/** The functions that the definition calls. */
export function calledIn(manifest: Manifest): readonly SizeFunction[] {
  const scratch = manifest.bindings.filter(isScratch);
  const cleared = manifest.bindings.filter(isCleared);
  const sized = manifest.bindings.filter(
    (binding) => isScratch(binding) || isCleared(binding) || isStatus(binding),
  );
  return [
    ...(checkedIn(manifest).length > 0 ? (["is_size"] as const) : []),
    ...(scratch.length > 0 ? (["zeros"] as const) : []),
    ...(cleared.length > 0 ? (["clear"] as const) : []),
    ...functionsOf([...checkedIn(manifest), ...sized].map(({ elements }) => elements)),
  ];
}

const isStatus = ({ role }: Binding): boolean => role === "status";
/** Outputs that kernels expect to be zero. */
const isCleared = ({ role, cleared }: Binding): boolean => role === "output" && cleared;
const isScratch = ({ role }: Binding): boolean => role === "scratch";

function allocate(text: Text, binding: Binding, manifest: Manifest): void {
  const name = marked(binding.name);
  const type = elementType(memoryOf(binding));
  text.line(`${type} *${name} = zeros(${sizeInC(binding.elements, manifest)}, sizeof *${name});`);
}

/** Clears the arrays that kernels expect to be zero, and calls the loops. */
function run(text: Text, manifest: Manifest): void {
  for (const { name, elements } of manifest.bindings.filter(isCleared))
    text.line(`clear(${marked(name)}, ${sizeInC(elements, manifest)} * sizeof *${marked(name)});`);
  const values = new Map(manifest.params.map((param) => [marked(param.name), launched(param, manifest)]));
  for (const table of tablesOf(manifest)) values.set(marked(table.name), tableOf(table, manifest));
  const given = kernelArguments(manifest).map(({ name }) => values.get(name) ?? name);
  printList(text, kernelOf(manifest), given, ";");
}

/** Kernels read the first element of a table even if the table is empty, and then ignore it. */
function tableOf(table: Binding, manifest: Manifest): string {
  const [name, length] = [marked(table.name), marked(lengthOf(manifest, table.name))];
  return `${length} > 0 ? ${name} : &(const ${elementType(memoryOf(table))}){0}`;
}

/** A launch scalar, from the arguments. */
function launched({ name, role, dimension = 0, table = "", from }: LaunchParam, manifest: Manifest): string {
  const sides = sidesOf(manifest).map(marked);
  return {
    length: `(uint32_t)${sides.length > 1 ? `(${sides.join(" * ")})` : sides[0]}`,
    size: `(uint32_t)${sides[dimension]}`,
    offset: marked(name),
    "table-length": `(uint32_t)${marked(lengthOf(manifest, table))}`,
    zero: "0u",
    // Of a half the bits are given, and are what kernels take.
    user: marked(from?.name ?? name),
  }[role];
}

const resultOf = (status: Binding | undefined): string => {
  if (!status) return "GW_OK";
  const words = typeof status.elements === "number" ? status.elements : 1;
  const any = Array.from({ length: words }, (_, i) => `${marked(status.name)}[${i}]`);
  return `${any.length > 1 ? `(${any.join(" | ")})` : any[0]} != 0u ? GW_OUTSIDE : GW_OK`;
};

/** Arguments that the function does not use, about which compilers warn. */
function unused(manifest: Manifest): readonly string[] {
  const used = new Set(kernelArguments(manifest).map(({ name }) => name));
  const cleared = manifest.bindings.filter((binding) => binding.cleared).map(({ name }) => marked(name));
  const named = new Set(
    manifest.bindings.flatMap(({ elements }) =>
      [...partsOfFormula(elements)].flatMap((part) =>
        typeof part === "object" && "param" in part ? [part.param] : [],
      ),
    ),
  );
  const arrays = entryArguments(manifest).filter(({ isPointer }) => isPointer);
  const users = userParams(manifest).map(({ name }) => name);
  return [
    ...users.filter((name) => !used.has(marked(name)) && !named.has(name)).map(marked),
    ...arrays.map(({ name }) => name).filter((name) => !used.has(name) && !cleared.includes(name)),
  ];
}
