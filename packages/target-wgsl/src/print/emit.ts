/** Prints a lowered pipeline as one WGSL module: every kernel is an entry point of it. */
import { type Artifact, type EmitOptions, type Manifest, type Plan, printManifest } from "@groupwise/core";
import {
  allExprs,
  assumedBy,
  atomicArrays,
  type Buffer,
  CFamily,
  CONSTANTS_HERE,
  commentText,
  convertsHalves,
  dividesSubgroups,
  type Fn,
  fixed,
  halfFormOf,
  headOf,
  type Kernel,
  type LaunchParam,
  type LetStmt,
  type Module,
  manifestOf,
  marked,
  memoryOf,
  mixedArrays,
  outline,
  rowArrays,
  type Space,
  type Stmt,
  shareArrays,
  sharedArrays,
  spellNames,
  structOf,
  subnormalsIn,
  Text,
  trusts,
  typesIn,
  unitsOf,
  unmarked,
  usesSubgroups,
  valueIn,
  withGuardClause,
} from "@groupwise/core/kernel";
import { countOf, GENERATOR, HALF_REQUIREMENTS, printFormula, type Remedy } from "@groupwise/core/target";
import { CAREFUL_DIVISION } from "./capabilities.ts";
import { featuresIn, PROBE_REQUIREMENT } from "./half-conversions.ts";
import { isReserved } from "./keywords.ts";
import { chooseNames, IDS, type WgslNames } from "./names.ts";
import { ALIGNMENT, blockBytes, PARAMS_BINDING, WORD } from "./param-block.ts";
import { dialectOf, spelled, vectorOf } from "./spelling.ts";

/** The binding number of the module's `i`-th array. */
export const bindingOf = (i: number): number => PARAMS_BINDING + 1 + i;

/** The WGSL file of a plan, and its manifest. Deterministic. */
export function print(plan: Plan, options: EmitOptions): Artifact {
  const { name } = plan.module;
  const command = options.command ?? `groupwise emit ${name} --target wgsl`;
  const file = `${name}.wgsl`;
  const assumes = assumedBy(plan.module, plan.capabilities);
  const manifest = withSlots(
    manifestOf(plan, {
      generator: GENERATOR,
      command,
      target: "wgsl",
      file,
      requires: [
        ...(typesIn(plan.module).has("f16") ? ["shader-f16"] : []),
        ...(usesSubgroups(plan.module) ? ["subgroups"] : []),
        ...conversionsOf(plan),
        ...(trusts(assumes, carefulOf(plan)) ? [PROBE_REQUIREMENT] : []),
      ],
      assumes,
      flags: flagsOf(plan),
      arrays: { alignment: ALIGNMENT, unit: WORD },
    }),
    plan.module,
  );
  return {
    manifest,
    files: [
      { path: file, text: printModule(plan, manifest) },
      { path: `${file}.json`, text: printManifest(manifest) },
    ],
  };
}

function conversionsOf({ module, capabilities }: Plan): readonly string[] {
  const form = halfFormOf(capabilities);
  return form && convertsHalves(module) ? [HALF_REQUIREMENTS[form]] : [];
}

/** Files that may flush rely on no device for subnormal numbers. */
const carefulOf = ({ capabilities }: Plan): readonly Remedy[] =>
  capabilities.subnormals === "flush" ? CAREFUL_DIVISION : [...CAREFUL_DIVISION, "exact-subnormals"];

/** The places of parameters and arrays. An array in parts has the slot of its first part; the others' follow. */
function withSlots(manifest: Manifest, module: Module): Manifest {
  const { buffers } = module;
  const firsts = new Map<string, number>();
  for (const [i, { name, part }] of buffers.entries()) {
    const whole = part ? part.of.name : name;
    if (!firsts.has(whole)) firsts.set(whole, i);
  }
  const slotOf = ({ name }: { readonly name: string }): number => bindingOf(firsts.get(name) as number);
  const again = secondSlots(module);
  const bindings = manifest.bindings.map((b) => {
    const rowSlot = again.get(buffers[firsts.get(b.name) as number]?.name as string);
    return { ...b, slot: slotOf(b), ...(rowSlot !== undefined && { rowSlot }) };
  });
  const params = manifest.params.map((param, i) => ({ ...param, offset: i * WORD }));
  const paramBlock = { binding: PARAMS_BINDING, bytes: blockBytes(params.length), alignment: ALIGNMENT };
  return { ...manifest, params, paramBlock, bindings };
}

/** The binding numbers, after those of all arrays, of arrays that a kernel uses by element and as vec4s: WGSL gives a binding one type. */
function secondSlots({ buffers, kernels, functions }: Module): ReadonlyMap<string, number> {
  const mixed = mixedArrays(kernels, functions);
  const names = buffers.map(({ name }) => name).filter((name) => mixed.has(name));
  return new Map(names.map((name, i) => [name, bindingOf(buffers.length + i)]));
}

function flagsOf(plan: Plan): Manifest["flags"] {
  const { capabilities, split, strategy } = plan;
  const { tile, expand } = capabilities;
  const subnormals = subnormalsIn(plan);
  return {
    // Passes of look-back have sizes of their own.
    ...(strategy !== "look-back" && { tile: `${tile.workGroupSize}x${tile.itemsPerWorkItem}` }),
    expand: expand.join(" "),
    ...(subnormals && { subnormals }),
    ...(split && { "part-bytes": split.partBytes }),
  };
}

/** Characters of a line with a comment after its statement. */
const LINE = 120;

/** The extension of a module for a feature of the device, if the names differ. */
const ENABLED_BY: Readonly<Record<string, string>> = { "shader-f16": "f16" };

function printModule(plan: Plan, manifest: Manifest): string {
  const module = shareArrays(plan.module, "module-arrays");
  const text = new Text();
  const comment = (line: string): void => text.line(`// ${commentText(line)}`);
  for (const line of headOf(manifest)) comment(line);
  const { subgroup, subnormals } = manifest.flags;
  if (subgroup) comment(`For subgroups of ${subgroup} work-items`);
  if (subnormals) comment(`Subnormal f32: ${subnormals}`);
  comment("Dispatches, in this order, in one or more compute passes. G work-groups may be dispatched as any");
  comment("x * y >= G (x, y at most 65535); a dispatch with G = 0 is skipped:");
  for (const { entryPoint, groups, workGroupSize } of manifest.passes)
    comment(`  ${entryPoint}: G = ${printFormula(groups)}, each of ${countOf(workGroupSize, "work-item")}`);

  for (const feature of featuresIn(manifest)) {
    text.line();
    text.line(`enable ${ENABLED_BY[feature] ?? feature};`);
  }
  if (dividesSubgroups(module))
    text.line("diagnostic(off, subgroup_uniformity); // subgroups that take a branch are whole");
  const names = chooseNames(module);
  const atomics = atomicArrays(module, "work-group");
  const common = familyOf(names, atomics);
  printParams(text, module, names, common);
  const rows = rowArrays(module.kernels);
  const again = secondSlots(module);
  for (const [i, buffer] of module.buffers.entries()) {
    printBuffer(text, buffer, i, common.name(buffer.name), names.isAtomic(buffer.name));
    const rowSlot = again.get(buffer.name) ?? bindingOf(i);
    const width = rows.get(buffer.name);
    if (width) printAgain(text, buffer, rowSlot, names.rows(buffer.name), `vec${width}`);
    const beside = names.atomic(buffer.name);
    if (beside !== undefined) printAgain(text, buffer, bindingOf(i), beside, "atomic");
  }
  const { functions, kernels } = outline(module, names.outside);
  text.line(CONSTANTS_HERE);
  printIds(text, names);
  printArrays(text, module, common, atomics);
  for (const fn of functions) {
    text.line();
    if (fn.results && fn.width > 1) printStruct(text, fn.name, fn.results);
    common.fn(text, fn, functionHead(fn, common));
  }
  for (const kernel of kernels) printKernel(text, kernel, names, atomics);
  return spellNames(text.toString(), isReserved, undefined, (name, value) => `const ${name} = ${value};`);
}

/** `fn name(x: f32) -> f32 {` */
export function functionHead(fn: Fn, family: CFamily): string {
  const params = fn.params.map((p) => `${family.name(p.name)}: ${spelled(p.type).type}`).join(", ");
  const returns = fn.results && fn.width > 1 ? structOf(fn.name) : vectorOf(fn.returns, fn.width);
  return `fn ${fn.name}(${params})${fn.width > 0 ? ` -> ${returns}` : ""} {`;
}

function printStruct(text: Text, name: string, results: NonNullable<Fn["results"]>): void {
  const fields = results.map((field) => `${marked(field.name)}: ${spelled(field.type).type}`);
  text.line(`struct ${structOf(name)} { ${fields.join(", ")} }`);
}

/** @param atomics arrays of work-group memory, which functions of several kernels may use */
function familyOf(names: WgslNames, atomics: ReadonlySet<string>, kernel?: Kernel): CFamily {
  const own = atomicArrays({ kernels: kernel ? [kernel] : [] });
  const beside = (array: string): string | undefined =>
    own.has(unmarked(array)) ? names.atomic(array) : undefined;
  const isAtomic = (space: Space, array: string): boolean =>
    space === "storage"
      ? names.isAtomic(array) || beside(array) !== undefined
      : space === "work-group" && atomics.has(unmarked(array));
  const stored = (array: string): string => beside(array) ?? array;
  return new CFamily(dialectOf({ ...names, shared: (array) => array, isAtomic, stored }));
}

function printParams(text: Text, { params }: Module, names: WgslNames, common: CFamily): void {
  const roles: Readonly<Record<LaunchParam["role"], string>> = {
    length: "number of items",
    size: "items in the dimension",
    offset: "the first global id in the dimension",
    "table-length": "number of elements of a table",
    zero: "always 0, but unknown to the compiler",
    user: "",
  };
  text.line();
  text.block(`struct ${names.paramsType} {`, () => {
    for (const { name, type, role } of params) {
      const about = [roles[role], type === "bool" ? "bool as 0 or 1" : ""].filter((part) => part !== "");
      const tail = about.length > 0 ? ` // ${about.join("; ")}` : "";
      text.line(`${common.name(name)}: ${spelled(type).memory},${tail}`);
    }
  });
  text.line(`@group(0) @binding(${PARAMS_BINDING}) var<uniform> ${names.params}: ${names.paramsType};`);
  text.line();
}

const accessOf = ({ role }: Buffer): string => (role === "input" || role === "table" ? "read" : "read_write");

/** The same array for kernels that take four elements at once, or write single bits; no kernel uses a binding under two names. */
function printAgain(text: Text, buffer: Buffer, slot: number, name: string, as: string): void {
  const { memory } = spelled(valueIn(memoryOf(buffer)));
  const type = `array<${as}<${memory}>>`;
  text.line(`@group(0) @binding(${slot}) var<storage, ${accessOf(buffer)}> ${name}: ${type};`);
}

function printBuffer(text: Text, buffer: Buffer, i: number, name: string, isAtomic: boolean): void {
  const { role, type, elements, cleared, part } = buffer;
  const memory = memoryOf(buffer);
  const about = [
    `${role}: ${countOf(elements, "element")}`,
    ...(part ? [`part ${part.index + 1} of ${part.count} of ${part.of.name}`] : []),
    ...(type === "bool" ? ["bool as 0 or 1"] : []),
    ...(unitsOf(buffer) === 2 ? [`each ${type} its low and its high word`] : []),
    ...(unitsOf(buffer) < 1 ? [`${1 / unitsOf(buffer)} ${type} to a word`] : []),
    ...(type === "f16" && memory === "f32" ? ["each f16 as an f32"] : []),
    ...(buffer.inPlace === undefined ? [] : [`${buffer.inPlace} before the first pass`]),
    ...(cleared ? ["zeros before the first pass"] : []),
  ];
  const plain = spelled(valueIn(memory)).memory;
  const element = isAtomic ? `atomic<${plain}>` : plain;
  const variable = `var<storage, ${accessOf(buffer)}> ${name}: array<${element}>;`;
  const line = `@group(0) @binding(${bindingOf(i)}) ${variable}`;
  const comment = `// ${about.join("; ")}`;
  if (unmarked(line).length + comment.length < LINE) text.line(`${line} ${comment}`);
  else [comment, line].map((each) => text.line(each));
}

/** The id of a work-group. */
function printIds(text: Text, names: WgslNames): void {
  const fields = Object.values(IDS).map(([b, field]) => `@builtin(${b}) ${fixed(field)}: vec3<u32>`);
  text.line();
  text.line(`struct ${names.idsType} { ${fields.join(", ")} }`);
}

const asksWidth = ({ body }: Kernel): boolean =>
  allExprs(body).some((e) => e.kind === "builtin" && e.builtin === "subgroup-size");

/** The arrays of work-groups, which are declared outside of kernels. */
function printArrays(text: Text, module: Module, common: CFamily, atomics: ReadonlySet<string>): void {
  const arrays = sharedArrays(module);
  if (arrays.length > 0) text.line();
  for (const { name, type, length } of arrays) {
    const element = atomics.has(name) ? `atomic<${spelled(type).type}>` : spelled(type).type;
    text.line(`var<workgroup> ${common.name(name)}: array<${element}, ${length}>;`);
  }
}

/** The name that a kernel gives a work-item's local id, if it has one. */
const laneOf = ({ body }: Kernel): string | undefined => body.find(isLane)?.name;
const isLane = (stmt: Stmt): stmt is LetStmt =>
  stmt.kind === "let" && stmt.value.kind === "builtin" && stmt.value.builtin === "local-id";

function printKernel(text: Text, kernel: Kernel, names: WgslNames, atomics: ReadonlySet<string>): void {
  const lane = laneOf(kernel);
  const localIndex = lane === undefined ? names.localIndex : marked(lane);
  const family = familyOf({ ...names, localIndex }, atomics, kernel);
  text.line();
  for (const line of kernel.doc) text.line(`// ${commentText(line)}`);
  text.line(`@compute @workgroup_size(${kernel.workGroupSize})`);
  const params = [
    `@builtin(local_invocation_index) ${localIndex}: u32`,
    ...(asksWidth(kernel) ? [`@builtin(subgroup_size) ${names.subgroupSize}: u32`] : []),
    `${names.ids}: ${names.idsType}`,
  ];
  const body = kernel.body.filter((stmt) => !isLane(stmt) || stmt.name !== lane);
  text.block(`fn ${fixed(kernel.name)}(${params.join(", ")}) {`, () =>
    family.block(text, withGuardClause(body)),
  );
}
