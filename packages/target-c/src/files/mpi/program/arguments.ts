/** The command line of an emitted program: files by the names of arrays, values by those of parameters. */
import { marked, type Text, unmarked } from "@groupwise/core/kernel";
import { userParams } from "@groupwise/core/target";
import type { Argument } from "../../../print/arguments.ts";
import { fileOf } from "../../../print/names.ts";
import { hostType } from "../../../print/spelling/types.ts";
import type { CarriedC } from "../../state/carried.ts";
import { lines } from "../../state/lines.ts";
import type { RanksC } from "../../state/ranks.ts";
import type { ProgramArrays } from "./arrays.ts";
import { RANGES, TYPES } from "./values.ts";

type Users = ReturnType<typeof userParams>;

/** The parameters of the pipeline itself. */
export function usersOf({ own, manifest, given }: RanksC): Users {
  const rooms = new Set(given.appended.map(({ room }) => room.name));
  const names = new Set(own.flatMap(({ name }) => (rooms.has(name) ? [] : [unmarked(name)])));
  return userParams(manifest).filter(({ name }) => names.has(name));
}

/** The values of parameters and the results of rounds, as members of a struct, so that they hide no function of C's library. */
export function printValues(text: Text, users: Users, results: readonly Argument[]): void {
  if (users.length + results.length === 0) return;
  const members = (): void => {
    for (const { name, type } of users) text.line(`${hostType(type)} ${marked(name)};`);
    for (const { name, type } of results) text.line(`${type} ${name}; // ${RESULT}`);
  };
  text.block("static struct {", members, "} values;");
}

const RESULT = "of all items, for later rounds";

/** The functions that read one argument, and that report missing ones. */
export function printArguments(text: Text, { given }: RanksC, arrays: ProgramArrays, users: Users): void {
  printUsage(text, given, arrays, users);
  text.line();
  if (users.length > 0) text.line(`static bool given[${users.length}];`);
  if (given.device) text.line("static int device = -1;");
  text.block("static void take(const char *text) {", () => {
    lines(text, BY_NAME);
    users.forEach((user, i) => {
      printValue(text, user, i);
    });
    text.line('if (length == 7 && memcmp(text, "--chunk", length) == 0)');
    text.line(`  chunk = read_unsigned("--chunk", value, UINT32_C(1) << 27);`);
    if (arrays.inputs.length === 0) {
      text.line('else if (length == 7 && memcmp(text, "--items", length) == 0)');
      text.line('  items = read_unsigned("--items", value, UINT64_MAX);');
    }
    if (given.device) {
      text.line('else if (length == 8 && memcmp(text, "--device", length) == 0)');
      text.line(`  device = (int)read_unsigned("--device", value, 65535);`);
    }
    text.line('else fail("%s", USAGE);');
  });
  text.line();
  printLacks(text, users.length);
}

function printUsage(
  text: Text,
  { artifact: { manifest }, device }: CarriedC,
  arrays: ProgramArrays,
  users: Users,
): void {
  const words = [
    ...[...arrays.inputs, ...arrays.tables].map(({ name }) => `${name}=FILE`),
    ...users.map(({ name }) => `${name}=VALUE`),
    ...arrays.outputs.map(({ name }) => `[${name}=FILE]`),
    ...(arrays.inputs.length === 0 ? ["--items=COUNT"] : []),
    "[--chunk=ITEMS]",
    ...(device ? ["[--device=NUMBER]"] : []),
  ];
  text.line("static const char USAGE[] =");
  text.line(`  "usage: ${fileOf(manifest.pipeline)}_mpi"`);
  for (const word of words) text.line(`  " ${word}"`);
  text.line(`  "; files whose names end in .npy are NumPy's, others raw elements";`);
}

const BY_NAME = `
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
`;

function printValue(text: Text, { name, type }: Users[number], index: number): void {
  const { reader } = TYPES[type];
  const range = RANGES[type] === undefined ? "" : `, ${RANGES[type]}`;
  text.block(`if (length == ${name.length} && memcmp(text, "${name}", length) == 0) {`, () => {
    text.line(`values.${marked(name)} = (${hostType(type)})${reader}("${name}", value${range});`);
    text.line(`given[${index}] = true;`);
    text.line("return;");
  });
}

function printLacks(text: Text, users: number): void {
  const missing = (count: string, test: string): void => {
    text.line(`for (int i = 0; i < ${count}; i++)`);
    text.line(`  if (${test}) return true;`);
  };
  text.block("static bool lacks(void) {", () => {
    missing("INPUTS", "inputs[i].path == NULL");
    missing("TABLES", "tables[i].path == NULL");
    if (users > 0) missing(String(users), "!given[i]");
    text.line("return chunk == 0;");
  });
}
