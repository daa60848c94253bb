/** A program that runs a pipeline over files on all ranks of MPI. */
import type { Binding } from "@groupwise/core";
import { marked, Text, unmarked } from "@groupwise/core/kernel";
import { userParams } from "@groupwise/core/target";
import { lengthOf } from "../../print/arguments.ts";
import { printFirst } from "../../print/header.ts";
import { fileOf, STATUSES } from "../../print/names.ts";
import { hostType } from "../../spelling/types.ts";
import type { CarriedC } from "../../state/carried.ts";
import { lines } from "../../state/cover.ts";
import { AGREEMENT } from "./agreement.ts";
import { FILES } from "./file.ts";
import { printRun } from "./run.ts";
import { RANGES, TYPES, VALUES } from "./values.ts";

/** The arrays of a program: inputs, tables and outputs, with their places in the arrays of files. */
export interface Arrays {
  readonly inputs: readonly Binding[];
  readonly tables: readonly Binding[];
  readonly outputs: readonly Binding[];
}

/** The text of `gw_<name>_mpi_main.c`, with marked names. */
export function printProgram(given: CarriedC): string {
  const { manifest } = given.artifact;
  const names = new Set(given.own.map(({ name }) => unmarked(name)));
  const own = manifest.bindings.filter(({ name }) => names.has(name));
  const arrays: Arrays = {
    inputs: own.filter(({ role }) => role === "input"),
    tables: own.filter(({ role }) => role === "table"),
    outputs: own.filter(({ role }) => role === "output"),
  };
  const text = new Text();
  printFirst(text, manifest);
  text.line(
    "// Runs the pipeline over files on all ranks of MPI_COMM_WORLD. Its usage is printed where arguments lack.",
  );
  text.line(`#include "${fileOf(manifest.pipeline)}_mpi.h"`);
  text.line();
  for (const name of ["errno", "inttypes", "math", "stdarg", "stdio", "stdlib", "string"])
    text.line(`#include <${name}.h>`);
  text.line();
  text.line(`#define PROGRAM "${fileOf(manifest.pipeline)}_mpi"`);
  text.line('#define MAGIC "\\x93NUMPY"');
  text.line("enum { HEAD = 4096, PATH_SIZE = 4096 };");
  text.line();
  lines(text, AGREEMENT);
  const users = userParams(manifest).filter(({ name }) => names.has(name));
  for (const reader of new Set(["read_unsigned", ...users.map(({ type }) => TYPES[type].reader)])) {
    text.line();
    lines(text, VALUES[reader] as string);
  }
  text.line();
  lines(text, FILES);
  text.line();
  printArrays(text, arrays);
  for (const { name, type } of users) text.line(`static ${hostType(type)} ${marked(name)};`);
  text.line();
  printArgument(text, given, arrays, users);
  text.line();
  printMessages(text);
  text.line();
  printRun(text, given, arrays);
  return text.toString();
}

/** The file that stands for an array: `inputs[0]`. */
export const fileAt = (arrays: Arrays, name: string): string | undefined =>
  (["inputs", "tables", "outputs"] as const)
    .map((role) => [role, arrays[role].findIndex((one) => one.name === name)] as const)
    .filter(([, index]) => index >= 0)
    .map(([role, index]) => `${role}[${index}]`)[0];

/** What a call of the pipeline's functions is given. */
export const callWith = ({ own, artifact: { manifest } }: CarriedC, arrays: Arrays): string[] =>
  own.map(({ name }) => {
    const file = fileAt(arrays, unmarked(name));
    if (file !== undefined) return `${file}.array`;
    const table = arrays.tables.find((one) => lengthOf(manifest, one.name) === unmarked(name));
    return table ? `${fileAt(arrays, table.name)}.items` : name;
  });

/** One element more than there are: C has no empty arrays. */
function printArrays(text: Text, arrays: Arrays): void {
  const all = Object.entries(arrays) as [string, readonly Binding[]][];
  const counts = all.map(([role, list]) => `${role.toUpperCase()} = ${list.length}`);
  text.line(`enum { ${counts.join(", ")} };`);
  for (const [role, list] of all) {
    text.line(`static struct file ${role}[${role.toUpperCase()} + 1] = {`);
    for (const { name, type, elements, bytesPerElement } of list) {
      const facts = [
        `.name = "${name}"`,
        `.descr = "${TYPES[type].descr}"`,
        `.bytes = ${bytesOf(type, bytesPerElement)}`,
      ];
      text.line(`  {${[...facts, `.per_item = ${elements === "n"}`].join(", ")}},`);
    }
    text.line("  {0}};");
  }
  text.line("static uint64_t chunk = UINT64_C(1) << 20;");
  if (arrays.inputs.length === 0) text.line("static uint64_t items;");
}

const bytesOf = (type: Binding["type"], bytes: number): number => (type === "bool" ? 1 : bytes);

type Users = ReturnType<typeof userParams>;

/** The function that reads one argument of the command line. */
function printArgument(text: Text, given: CarriedC, arrays: Arrays, users: Users): void {
  const {
    artifact: { manifest },
  } = given;
  const words = [
    ...arrays.inputs.map(({ name }) => `${name}=FILE`),
    ...arrays.tables.map(({ name }) => `${name}=FILE`),
    ...users.map(({ name }) => `${name}=VALUE`),
    ...arrays.outputs.map(({ name }) => `[${name}=FILE]`),
    ...(arrays.inputs.length === 0 ? ["--items=COUNT"] : []),
    "[--chunk=ITEMS]",
  ];
  text.line(`static const char USAGE[] =`);
  text.line(`  "usage: ${fileOf(manifest.pipeline)}_mpi"`);
  for (const word of words) text.line(`  " ${word}"`);
  text.line(`  "; files whose names end in .npy are NumPy's, others raw elements";`);
  text.line();
  if (users.length > 0) text.line(`static bool given[${users.length}];`);
  text.block("static void take(const char *text) {", () => {
    lines(
      text,
      `
const char *value = strchr(text, '=');
const size_t length = value == NULL ? 0 : (size_t)(value++ - text);
struct file *const all[] = {inputs, tables, outputs};
const int counts[] = {INPUTS, TABLES, OUTPUTS};
for (int role = 0; role < 3; role++)
  for (int i = 0; i < counts[role]; i++)
    if (strlen(all[role][i].name) == length && memcmp(all[role][i].name, text, length) == 0) {
      all[role][i].path = value;
      return;
    }
`,
    );
    users.forEach(({ name, type }, i) => {
      const { reader } = TYPES[type];
      const range = RANGES[type] === undefined ? "" : `, ${RANGES[type]}`;
      text.line(`if (length == ${name.length} && memcmp(text, "${name}", length) == 0) {`);
      text.line(`  ${marked(name)} = (${hostType(type)})${reader}("${name}", value${range});`);
      text.line(`  given[${i}] = true;`);
      text.line("  return;");
      text.line("}");
    });
    text.line('if (length == 7 && memcmp(text, "--chunk", length) == 0)');
    text.line(`  chunk = read_unsigned("--chunk", value, UINT32_C(1) << 27);`);
    if (arrays.inputs.length === 0) {
      text.line('else if (length == 7 && memcmp(text, "--items", length) == 0)');
      text.line('  items = read_unsigned("--items", value, UINT64_MAX);');
    }
    text.line('else fail("%s", USAGE);');
  });
  text.line();
  text.block("static bool lacks(void) {", () => {
    text.line("for (int i = 0; i < INPUTS; i++)");
    text.line("  if (inputs[i].path == NULL) return true;");
    text.line("for (int i = 0; i < TABLES; i++)");
    text.line("  if (tables[i].path == NULL) return true;");
    if (users.length > 0) {
      text.line(`for (int i = 0; i < ${users.length}; i++)`);
      text.line("  if (!given[i]) return true;");
    }
    text.line("return chunk == 0;");
  });
}

function printMessages(text: Text): void {
  text.line("// What statuses mean.");
  text.line("static const char *const MESSAGES[] = {");
  for (const [name, about] of STATUSES) text.line(`  [${name}] = "${about}",`);
  text.line("};");
}
