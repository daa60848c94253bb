/** Long pieces on a device: the functions that emitted code calls in place of its loops. Files of another target define them. */
import type { EmitOptions, Pipeline, SourceFile } from "@groupwise/core";
import { Text, unmarked } from "@groupwise/core/kernel";
import type { Carried } from "@groupwise/core/state";
import { type Argument, declared, entryArguments, lengthOf, sidesOf } from "../../print/arguments.ts";
import { declare, forBoth, guarded, printFirst } from "../../print/header.ts";
import { DEVICE_STATUSES, fileOf, STATUSES } from "../../print/names.ts";
import type { CarriedC } from "./carried.ts";
import { sizeOf } from "./cover.ts";
import { extra } from "./header.ts";
import { lines } from "./lines.ts";

/** One argument of the function that runs a piece. */
export interface DeviceArgument {
  /** The name of the array or parameter in the pipeline over a chunk; of a length, that of its table. */
  readonly name: string;
  readonly kind: "count" | "parameter" | "array" | "table-length";
  /** Its name in the text, marked. */
  readonly text: string;
  /** The elements of a table that always has the same number. */
  readonly elements?: number;
  /** Whether the parameter is the room of an output, in elements: at most the number of items. */
  readonly isRoom?: boolean;
}

/** The arguments of the writer of a device's files. */
export interface DeviceCall {
  readonly pipeline: Pipeline;
  /** The pipeline over a chunk, whose loops in C have these arguments. */
  readonly carried: Carried;
  readonly options: EmitOptions;
  /** The function over a chunk, which begins the names of all functions. */
  readonly symbol: string;
  /** The header that declares the functions to define. */
  readonly header: string;
  /** The arguments of `…_on_device` after the first, in order. */
  readonly args: readonly DeviceArgument[];
  /** All of its arguments as declarations, with marked names. */
  readonly declarations: readonly string[];
  /** The lengths of the caller's tables, and the arguments of `…_device_room`, which are these and a pointer. */
  readonly lengths: readonly DeviceArgument[];
  readonly roomDeclarations: readonly string[];
}

/** The files of a device. */
export interface DeviceParts {
  /** The definition of the functions that the header declares, with marked names. */
  readonly code: string;
  readonly files: readonly SourceFile[];
  /** The package that CMake finds, and its library. */
  readonly cmakePackage: string;
  readonly library: string;
}

/** Writes the files of a device. @throws GroupwiseError as `emit` */
export type DeviceWriter = (call: DeviceCall) => DeviceParts;

const READS = extra("reads_items", "bool", "false: outputs of items stay on the device");

/** The function that runs a piece takes the arguments of the loops. */
const pieceArguments = ({ artifact }: Pick<CarriedC, "artifact">): readonly Argument[] => [
  READS,
  ...entryArguments(artifact.manifest),
];

/** The lengths of the caller's tables. */
const tableLengths = ({ artifact: { manifest }, own }: CarriedC): readonly Argument[] => {
  const tables = manifest.bindings.filter(({ role }) => role === "table");
  const lengths = new Set(tables.map(({ name }) => lengthOf(manifest, name)));
  return own.filter(({ name }) => lengths.has(unmarked(name)));
};

const ROOM = extra("*room", "uint64_t", "the number of items");

/** The call of the function that returns the maximum length of a piece. @param room the pointer for it */
export const roomCall = (given: CarriedC, room: string): string =>
  `${given.symbol}_device_room(${[...tableLengths(given).map(({ name }) => name), room].join(", ")})`;

/** The arguments of a writer. */
export function deviceCall(given: CarriedC, pipeline: Pipeline, options: EmitOptions): DeviceCall {
  const { manifest } = given.artifact;
  const arrays = new Set(manifest.bindings.map(({ name }) => name));
  const tables = new Map(
    manifest.bindings
      .filter(({ role }) => role === "table")
      .map(({ name }) => [lengthOf(manifest, name), name]),
  );
  const kindOf = (name: string): DeviceArgument["kind"] => {
    if (arrays.has(name)) return "array";
    if (tables.has(name)) return "table-length";
    return name === sidesOf(manifest)[0] ? "count" : "parameter";
  };
  const rooms = new Set(given.carried.rooms.values());
  const fixed = new Map(given.values.map(({ before, kind }) => [before, sizeOf(kind)]));
  const args = entryArguments(manifest).map(({ name: text }): DeviceArgument => {
    const name = unmarked(text);
    const [table, kind] = [tables.get(name), kindOf(name)];
    const elements = table === undefined ? undefined : fixed.get(table);
    const more = { ...(elements !== undefined && { elements }), ...(rooms.has(name) && { isRoom: true }) };
    return { name: table ?? name, kind, text, ...more };
  });
  const lengths = tableLengths(given);
  return {
    pipeline,
    carried: given.carried,
    options,
    symbol: given.symbol,
    header: headerOf(given),
    args,
    declarations: pieceArguments(given).map((one) => declared(one, "restrict")),
    lengths: args.filter(({ text }) => lengths.some(({ name }) => name === text)),
    roomDeclarations: [...lengths, ROOM].map((one) => declared(one, "restrict")),
  };
}

const headerOf = ({ artifact }: CarriedC): string => `${fileOf(artifact.manifest.pipeline)}_device.h`;

/** The text of `gw_<name>_device.h`, with marked names. */
export function printDeviceHeader(given: CarriedC): string {
  const { artifact, symbol } = given;
  const text = new Text();
  printFirst(text, artifact.manifest);
  guarded(text, `${symbol}_DEVICE_H`, () => {
    text.line(`#include "${fileOf(artifact.manifest.pipeline)}.h"`);
    text.line();
    const rows = DEVICE_STATUSES.map(([name, about], i) => `  ${name} = ${STATUSES.length + i}, // ${about}`);
    lines(text, ["#ifndef GW_DEVICE_STATUS", "#define GW_DEVICE_STATUS"].join("\n"));
    for (const line of ["enum gw_device_status {", ...rows, "};", "#endif"]) text.line(line);
    text.line();
    lines(text, LEAST);
    forBoth(text, () => {
      text.line("// A process has one device. One thread at a time may call functions that use it.");
      text.line();
      lines(text, OPENING);
      declare(text, `int ${symbol}_device_open`, [
        extra("device", "int", "its number among those found; -1: the rank's, modulo their number"),
        extra("rank", "int", "of this process on its machine"),
        extra("ranks", "int", "processes on this machine, which share its devices"),
      ]);
      text.line(`void ${symbol}_device_close(void);`);
      text.line(
        "// The message of the last call's problem, valid until the next call; empty if there is none.",
      );
      text.line(`const char *${symbol}_device_problem(void);`);
      text.line("// The maximum number of items of a piece, a power of two, beside tables of these lengths.");
      declare(text, `int ${symbol}_device_room`, [...tableLengths(given), ROOM]);
      text.line(
        `// Runs a piece like ${symbol}. It must begin where an aligned block of at least its length begins.`,
      );
      if (given.appended.length > 0) for (const line of ROOMS) text.line(line);
      declare(text, `int ${symbol}_on_device`, pieceArguments(given));
    });
  });
  return text.toString();
}

const ROOMS = [
  "// A room is at most n. Nothing is written past it, and the status does not report more elements; the lengths do.",
];

const OPENING = `
// Opens a device, and builds the kernels for it. It does nothing if that device is open, or, for -1, if any is. If it fails, a device that
// is open stays open; otherwise that one is closed.
`;

const LEAST = `
// Pieces of fewer items are left to the loops; a power of two.
#ifndef GW_DEVICE_LEAST
#define GW_DEVICE_LEAST (UINT64_C(1) << 14)
#endif
`;
