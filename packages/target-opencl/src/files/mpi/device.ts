/** The device of a rank: the functions that open it, and that run a piece of a chunk on it. */
import type { Artifact, Binding, Manifest } from "@groupwise/core";
import { commentText, headOf, type Text } from "@groupwise/core/kernel";
import { scalarOf, scalarsOf } from "@groupwise/core/target";
import type { DeviceArgument, DeviceCall } from "@groupwise/target-c/mpi";
import { defineEnqueue } from "../host/c-enqueue.ts";
import { hostParams, macroOf, prefixOf } from "../host/c-names.ts";
import { defineSteps, rangeOf, scratchOf } from "../host/c-steps.ts";
import { HostText } from "../host/c-text.ts";
import { DEVICE, PRELUDE, RESULT, TRANSFERS } from "./device-text.ts";
import { printKernels } from "./kernels.ts";
import { type Opening, openingText, stateText } from "./opening-text.ts";
import { requirementsOf } from "./requirements.ts";

/** The text of `gw_<name>_device.c`, with marked names. */
export function printDevice({ manifest, files }: Artifact, header: string, call: DeviceCall): string {
  const text = new HostText();
  defineSteps(text, manifest);
  defineEnqueue(text, manifest);
  const steps = [...text.helpers(), ...text.toString().trimEnd().split("\n")];
  const own = new HostText();
  for (const line of headOf(manifest)) own.line(`// ${commentText(line)}`);
  put(own, PRELUDE);
  own.line(`#include "${call.header}"`);
  own.line(`#include "${header}"`);
  put(own, DEVICE);
  for (const line of steps) own.line(line);
  own.line();
  printKernels(own, files.find(({ path }) => path.endsWith(".cl"))?.text ?? "");
  own.line();
  printSlots(own, manifest);
  put(own, stateText({ prefix: prefixOf(manifest) }));
  own.line();
  printFits(own, manifest, call);
  put(own, RESULT);
  put(own, openingText(openingOf(manifest, call)));
  put(own, TRANSFERS(kindsOf(manifest)));
  own.line();
  printRun(own, manifest, call);
  return own.toString();
}

const openingOf = (manifest: Manifest, call: DeviceCall): Opening => ({
  symbol: call.symbol,
  prefix: prefixOf(manifest),
  macro: macroOf(manifest),
  requirements: requirementsOf(manifest),
  lengths: call.lengths.map(({ name, text }) => ({ name: scalarOf({ length: name }), text })),
  room: call.roomDeclarations,
});

/** Lines after an empty one. */
function put(text: Text, block: string): void {
  text.line();
  for (const line of block.trim().split("\n")) text.line(line);
}

const givenOf = ({ bindings }: Manifest): readonly Binding[] =>
  bindings.filter(({ role }) => role !== "scratch");
/** Outputs that only a caller of items reads. */
const isOfItems = ({ role, elements, scatter }: Binding): boolean =>
  role === "output" && (elements === "n" || scatter === true);
const isRead = ({ role }: Binding): boolean => role === "input" || role === "table";
/** C has bytes for bools, and kernels have words. */
const isBool = ({ type }: Binding): boolean => type === "bool";

/** The functions that move arrays to the device and back: those that are called. */
const kindsOf = (manifest: Manifest): ReadonlySet<string> =>
  new Set(
    givenOf(manifest).flatMap((binding) => [
      `${isRead(binding) ? "put" : "get"}${isBool(binding) ? "_bools" : ""}`,
      ...(binding.lengthFrom === undefined ? [] : ["at_most"]),
    ]),
  );

/** A list with an element on each line. */
function printList(text: Text, head: string, items: readonly string[], end: string): void {
  text.line(head);
  text.indent(() => {
    items.forEach((item, i) => {
      text.line(`${item}${i < items.length - 1 ? "," : ""}`);
    });
  });
  text.line(end);
}

/** The buffers, which grow and stay until the device is closed. */
function printSlots(text: Text, manifest: Manifest): void {
  const names = [...givenOf(manifest).map(({ name }) => `slot_${name}`), "scratch"];
  printList(text, "static struct slot", names, ";");
  printList(
    text,
    "static struct slot *const slots[] = {",
    names.map((name) => `&${name}`),
    "};",
  );
}

/** The function that returns whether the arrays of a piece and the tables fit. */
function printFits(text: Text, manifest: Manifest, { args, lengths }: DeviceCall): void {
  const prefix = prefixOf(manifest);
  const given = lengths.map(({ name }) => scalarOf({ length: name }));
  const fixed = new Map<string, number | string | undefined>([
    ...args.map(({ name, elements }) => [scalarOf({ length: name }), elements] as const),
    ...args.filter(({ isRoom }) => isRoom).map(({ name }) => [scalarOf({ param: name }), "n"] as const),
  ]);
  const params = ["const struct device *one", "size_t n", ...given.map((name) => `size_t ${name}`)];
  text.line(
    "// Whether the arrays of that many items fit into the memory of the device, and each array into one buffer.",
  );
  text.block(`static bool has_room(${params.join(", ")}) {`, () => {
    for (const one of scalarsOf(manifest).map(scalarOf))
      if (!given.includes(one)) text.line(`const size_t ${one} = ${fixed.get(one) ?? 0};`);
    const sizes = [...givenOf(manifest).map(({ name }) => `bytes_${name}`), "scratch_bytes"];
    const calls = sizes.map((size) => `${prefix}_${size}(${rangeOf(manifest)})`);
    printList(text, "const cl_ulong sizes[] = {", calls, "};");
    text.line("cl_ulong sum = 0;");
    text.block("for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {", () => {
      text.line("if (sizes[i] > one->longest) return false;");
      text.line("sum += sizes[i];");
    });
    text.line("return sum <= one->all;");
  });
}

/** The function that runs a piece. */
function printRun(text: Text, manifest: Manifest, call: DeviceCall): void {
  const prefix = prefixOf(manifest);
  const argument = (name: string, kind: DeviceArgument["kind"]): string =>
    call.args.find((one) => one.name === name && one.kind === kind)?.text as string;
  text.line(`int ${call.symbol}_on_device(`);
  text.indent(() => {
    call.declarations.forEach((one, i) => {
      text.line(`${one}${i < call.declarations.length - 1 ? "," : ") {"}`);
    });
  });
  text.indent(() => {
    for (const name of unusedIn(manifest, call)) text.line(`(void)${name};`);
    text.line("if (!device.is_open) return GW_NO_DEVICE;");
    text.line("forget();");
    text.line(`const size_t n = ${call.args.find(({ kind }) => kind === "count")?.text};`);
    text.line("cl_int status = CL_SUCCESS;");
    text.line(`struct ${prefix}_buffers buffers;`);
    text.line("memset(&buffers, 0, sizeof buffers);");
    passParams(text, manifest, argument);
    for (const binding of givenOf(manifest)) passArray(text, manifest, binding, argument);
    if (scratchOf(manifest).length > 0)
      text.line(`TRY(fit(&scratch, ${prefix}_scratch_bytes(${rangeOf(manifest)})));`);
    text.line("buffers.scratch = scratch.buffer;");
    text.line(`TRY(${prefix}_enqueue(device.queue, &device.kernels, n, &buffers));`);
    const outputs = givenOf(manifest).filter(({ role }) => role === "output");
    // Lengths come first: arrays are read up to them.
    for (const binding of [
      ...outputs.filter(({ hidden }) => hidden),
      ...outputs.filter(({ hidden }) => !hidden),
    ])
      takeArray(text, manifest, binding, argument);
  });
  text.line("done:");
  text.line("  return result_of(status);");
  text.line("}");
}

/** Arguments that the kernels do not read, of which compilers warn. */
function unusedIn(manifest: Manifest, { args }: DeviceCall): readonly string[] {
  const params = new Set(hostParams(manifest).map(({ name }) => name));
  const unused = args.filter(({ name, kind }) => kind === "parameter" && !params.has(name));
  const hasItems = givenOf(manifest).some(isOfItems);
  return [...unused.map(({ text }) => text), ...(hasItems ? [] : ["reads_items"])];
}

type ArgumentOf = (name: string, kind: DeviceArgument["kind"]) => string;

function passParams(text: Text, manifest: Manifest, argument: ArgumentOf): void {
  for (const { name } of hostParams(manifest))
    text.line(`buffers.param_${name} = ${argument(name, "parameter")};`);
  const sizing = scalarsOf(manifest).map(scalarOf);
  for (const { name } of hostParams(manifest))
    if (sizing.includes(`param_${name}`)) text.line(`const size_t param_${name} = buffers.param_${name};`);
  for (const { name } of manifest.bindings.filter(({ role }) => role === "table")) {
    const given = argument(name, "table-length");
    text.line(`if (${given} > ${macroOf(manifest)}_MAX_ITEMS) return GW_TABLE_TOO_LONG;`);
    text.line(`buffers.length_${name} = ${given};`);
    if (sizing.includes(`length_${name}`)) text.line(`const size_t length_${name} = ${given};`);
  }
}

/** Makes room for an array, and copies what kernels read. */
function passArray(text: Text, manifest: Manifest, binding: Binding, argument: ArgumentOf): void {
  const { name } = binding;
  const [prefix, range] = [prefixOf(manifest), rangeOf(manifest)];
  text.line(`TRY(fit(&slot_${name}, ${prefix}_bytes_${name}(${range})));`);
  if (isRead(binding)) {
    const count = `${prefix}_elements_${name}(${range})`;
    const given = argument(name, "array");
    const [put, size] = isBool(binding) ? ["put_bools", count] : ["put", `${count} * sizeof *${given}`];
    text.line(`TRY(${put}(&slot_${name}, ${given}, ${size}));`);
  }
  text.line(`buffers.buffer_${name} = slot_${name}.buffer;`);
}

function takeArray(text: Text, manifest: Manifest, binding: Binding, argument: ArgumentOf): void {
  const { name, lengthFrom } = binding;
  const all = `${prefixOf(manifest)}_elements_${name}(${rangeOf(manifest)})`;
  const given = argument(name, "array");
  const length = lengthFrom === undefined ? "" : `*${argument(lengthFrom, "array")}`;
  const count = lengthFrom === undefined ? all : `at_most(${length}, ${all})`;
  const [get, size] = isBool(binding) ? ["get_bools", count] : ["get", `${count} * sizeof *${given}`];
  text.line(`${isOfItems(binding) ? "if (reads_items) " : ""}TRY(${get}(&slot_${name}, ${given}, ${size}));`);
}
