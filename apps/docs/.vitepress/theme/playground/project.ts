/** A pipeline of the playground as a project: commands for a shell that write its files, install, and run it. */
import type { ArrayType } from "@groupwise/core";
import type { Argument } from "../engine/messages.ts";
import { initialOf } from "./initial.ts";
import type { Mode } from "./lines.ts";

/** What was built. */
export interface Built {
  readonly mode: Mode;
  /** The text in the editor. */
  readonly text: string;
  readonly document: string;
  readonly arguments: readonly Argument[];
  readonly n: number;
}

/** Of each type the array of the host, and sample values of item i and of a parameter. */
const SAMPLES: Readonly<
  Record<ArrayType, readonly [array: string, item: string, param: (text: string) => string]>
> = {
  i32: ["Int32Array", "((i * 37) % 101) - 50", (text) => text],
  u32: ["Uint32Array", "(i * 37) % 101", (text) => text],
  i8: ["Int8Array", "((i * 37) % 101) - 50", (text) => text],
  u8: ["Uint8Array", "(i * 37) % 101", (text) => text],
  i16: ["Int16Array", "((i * 37) % 101) - 50", (text) => text],
  u16: ["Uint16Array", "(i * 37) % 101", (text) => text],
  bf16: ["Uint16Array", "0x3f80 + (i % 64)", (text) => text],
  i64: ["BigInt64Array", "BigInt((i * 37) % 101) - 50n", (text) => `${text}n`],
  u64: ["BigUint64Array", "BigInt((i * 37) % 101)", (text) => `${text}n`],
  f16: ["Uint16Array", "0x3c00 + i % 64", (text) => text],
  f32: ["Float32Array", "((i * 37) % 101) / 101", (text) => text],
  f64: ["Float64Array", "((i * 37) % 101) / 101", (text) => text],
  bool: ["Uint8Array", "Number(i % 3 === 0)", (text) => text],
};

/** A name as a key of an object. */
const keyOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

function valuesOf(list: readonly Argument[]): string {
  const lines = list.map(({ name, role, type }) => {
    const [array, item, param] = SAMPLES[type];
    const value =
      role === "param" ? param(initialOf(type)) : `${array}.from({ length: n }, (_, i) => ${item})`;
    return `  ${keyOf(name)}: ${value},\n`;
  });
  return `{\n${lines.join("")}}`;
}

/** A range is given where no input determines it, and by its sides where there are several. */
function rangeOf({ document, arguments: list }: Built): string {
  const { workGroupSize = [] } = JSON.parse(document) as { readonly workGroupSize?: readonly unknown[] };
  if (workGroupSize.length > 1)
    return `, { globalSize: [n, ${workGroupSize
      .slice(1)
      .map(() => 1)
      .join(", ")}] }`;
  return list.some(({ role }) => role === "input") ? "" : ", { n }";
}

/** The files by name. A text whose pipeline is no default export is passed on as its document. */
export function projectFiles(built: Built): Readonly<Record<string, string>> {
  const isModule = built.mode === "ts" && /^export default\b/m.test(built.text);
  const source = isModule
    ? 'import pipeline from "./pipeline.ts";\n'
    : 'import { readFileSync } from "node:fs";\nimport { parsePipeline } from "@groupwise/core/schema";\n';
  const parse = isModule
    ? ""
    : 'const { pipeline } = parsePipeline(readFileSync("pipeline.json", "utf8"));\n';
  const main = `import { cpuRuntime } from "@groupwise/cpu";
${source}
${parse}const n = ${built.n};
const program = await cpuRuntime().compile(pipeline);
const results = await program.run(${valuesOf(built.arguments)}${rangeOf(built)});
for (const [name, value] of Object.entries(results)) console.log(name, value);
`;
  const [name, text] = isModule ? ["pipeline.ts", built.text] : ["pipeline.json", built.document];
  return { [name]: text.endsWith("\n") ? text : `${text}\n`, "main.ts": main };
}

/** A line that ends a text and is no line of it. */
function endOf(text: string): string {
  let end = "EOF";
  while (text.split("\n").includes(end)) end += "_";
  return end;
}

/** The commands, for an empty folder. */
export function projectScript(built: Built): string {
  const files = Object.entries(projectFiles(built));
  const written = files.map(([name, text]) => {
    const end = endOf(text);
    return `cat > ${name} <<'${end}'\n${text}${end}\n`;
  });
  const [[pipeline = ""] = []] = files;
  return `npm init -y
npm pkg set type=module
npm install @groupwise/core @groupwise/cpu @groupwise/dsl
npm install --save-dev @groupwise/cli
${written.join("")}npx groupwise emit ${pipeline} --target all --out made
node main.ts
`;
}
