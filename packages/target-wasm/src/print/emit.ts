/** An ES module that holds a WebAssembly module, its text, types and manifest. */
import { type Artifact, type EmitOptions, type Manifest, type Plan, printManifest } from "@groupwise/core";
import { commentText, headOf, manifestOf, marked, spellNames, Text, wordsIn } from "@groupwise/core/kernel";
import {
  type EntryCall,
  GENERATOR,
  hostType,
  isReservedInModule,
  moduleHelpers,
  OWN_ARRAYS,
  printEntry,
  printModuleHead,
  printModuleTypes,
  withKernelCall,
} from "@groupwise/core/target";
import { moduleOf } from "../code/module.ts";
import { binaryOf } from "../encode/binary.ts";
import { writeModule } from "../encode/text.ts";
import { IMPORTS, type ModuleTree } from "../encode/tree.ts";
import { FIRST } from "./places.ts";

const TARGET = "wasm";

/** Apart from the file of JavaScript, whose name is without `wasm`. */
const fileOf = (pipeline: string): string => `${pipeline}.wasm.mjs`;

/** The manifest of a plan, and its module. */
export interface Assembled {
  readonly manifest: Manifest;
  readonly module: ModuleTree;
}

export function assemble(plan: Plan, command?: string): Assembled {
  const name = plan.checked.pipeline.name;
  const manifest = manifestOf(plan, {
    generator: GENERATOR,
    command: command ?? `groupwise emit ${name}.json --target ${TARGET}`,
    target: TARGET,
    file: fileOf(name),
    requires: [],
    flags: {},
    arrays: OWN_ARRAYS,
  });
  return { manifest: withKernelCall(manifest), module: moduleOf(plan, manifest) };
}

export function emitWasm(plan: Plan, options: EmitOptions): Artifact {
  const { manifest, module } = assemble(plan, options.command);
  const name = manifest.pipeline;
  const wat = new Text();
  for (const line of headOf(manifest)) wat.line(`;; ${commentText(line)}`);
  writeModule(wat, module);
  return {
    manifest,
    files: [
      { path: fileOf(name), text: printLoader(manifest, module) },
      {
        path: `${name}.wasm.d.mts`,
        text: printModuleTypes(manifest, (text) => declareOthers(text, manifest, module)),
      },
      { path: `${name}.wat`, text: wat.toString() },
      { path: `${fileOf(name)}.json`, text: printManifest(manifest) },
    ],
  };
}

/** Copies in the module's memory. */
const callFrom = (first: number): EntryCall => ({
  copies: true,
  print(text, scalars, arrays) {
    const parts = arrays.map(({ binding, array, length }) => `[${array}, ${length ?? marked(binding.name)}]`);
    text.line(`const places = inMemory(${[first, ...parts].join(", ")});`);
    text.line(`kernel(${[...scalars, "...places.map((view) => view.byteOffset)"].join(", ")});`);
    arrays.forEach(({ binding, length }, i) => {
      if (length !== undefined && binding.role !== "scratch")
        text.line(`const ${marked(binding.name)} = places[${i}];`);
    });
  },
});

/** The function that makes the loops on a memory. */
function printInstantiate(text: Text, frame: number): void {
  text.line("// The loops on a memory take launch scalars, then the byte offset of each array.");
  if (frame > 0) {
    text.line("// They write `frameBytes` at `frame` too.");
    text.line(`export const frameBytes = ${frame};`);
  }
  const [param, value] =
    frame > 0
      ? [`, frame = ${FIRST}`, `, ${IMPORTS.frame}: new WebAssembly.Global({ value: "i32" }, frame)`]
      : ["", ""];
  text.block(`export function instantiate(memory${param}) {`, () => {
    text.line(`const imports = { ${IMPORTS.memory}${value} };`);
    text.line(`return new WebAssembly.Instance(compiled, { ${IMPORTS.module}: imports }).exports.kernel;`);
  });
}

function printLoader(manifest: Manifest, module: ModuleTree): string {
  const first = FIRST + module.frame;
  const head = new Text();
  printModuleHead(head, manifest);
  head.line();
  head.line(`// The module, whose text is ${manifest.pipeline}.wat.`);
  head.line("export const wasm = Uint8Array.from(");
  head.indent(() => {
    head.line("`");
    for (const line of inHex(binaryOf(module)).match(/.{1,120}/g) ?? []) head.line(line);
    head.line("`.match(/\\w\\w/g),");
    head.line("(byte) => parseInt(byte, 16),");
  });
  head.line(");");
  head.line("const compiled = new WebAssembly.Module(wasm);");
  head.line();
  printInstantiate(head, module.frame);
  head.line(`// Arrays may be at byte ${first} and higher; the loops check nothing.`);
  head.line("export const memory = new WebAssembly.Memory({ initial: 1 });");
  head.line("export const kernel = instantiate(memory);");
  head.line();
  const text = new Text();
  printEntry(text, manifest, callFrom(first));
  const words = wordsIn(text.toString());
  const code = spellNames(text.toString(), isReservedInModule, words);
  return [head, code, "\n", ...moduleHelpers(words), IN_MEMORY].join("");
}

const IN_MEMORY = `// Arrays in the memory: copies of arguments, and zeros where a length is given.
function inMemory(first, ...arrays) {
  let end = first;
  const places = arrays.map(([type, given]) => {
    const place = end;
    end += 16 * Math.ceil((type.BYTES_PER_ELEMENT * (given.length ?? given) + 1) / 16);
    return place;
  });
  const pages = Math.ceil((end - memory.buffer.byteLength) / 65536);
  if (pages > 0) memory.grow(pages);
  return arrays.map(([type, given], i) => {
    const view = new type(memory.buffer, places[i], given.length ?? given);
    if (given.length >= 0) view.set(given);
    else new Uint8Array(memory.buffer, places[i], view.byteLength).fill(0);
    return view;
  });
}
`;

/** What a module exports besides its function. */
function declareOthers(text: Text, manifest: Manifest, { frame }: ModuleTree): void {
  const scalars = manifest.params.map((p) => `${marked(p.name)}: ${hostType(p.type)}`);
  const arrays = manifest.bindings.map((b) => `${marked(b.name)}: number`);
  text.line(
    "/** The loops: launch scalars, then the byte offset of each array in the memory. Nothing is checked. */",
  );
  text.line(`export type Kernel = (${[...scalars, ...arrays].join(", ")}) => void;`);
  if (frame > 0) text.line("export const frameBytes: number;");
  const [about, param] =
    frame > 0
      ? [`, but not in the \`frameBytes\` at \`frame\`, by default ${FIRST}`, ", frame?: number"]
      : ["", ""];
  text.line(`/** The loops on a memory, whose arrays are at byte ${FIRST} or higher${about}. */`);
  text.line(`export function instantiate(memory: WebAssembly.Memory${param}): Kernel;`);
  text.line(`/** The memory of \`kernel\`: arrays may be at ${FIRST + frame} and higher. */`);
  text.line("export const memory: WebAssembly.Memory;");
  text.line("export const kernel: Kernel;");
  text.line("/** The binary form of the module. */");
  text.line("export const wasm: Uint8Array<ArrayBuffer>;");
}

/** Bytes as text. Compressed, it is shorter than base64, whose digits hide that bytes repeat. */
const inHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
