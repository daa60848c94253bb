/** One OpenCL C header with every work-group function, for user-written kernels. */

import { SCALAR_NAMES, type Scalar } from "@groupwise/core";
import {
  LIBRARY_FUNCTIONS,
  type Library,
  type LibraryFunction,
  type LibraryGroup,
  libraryOf,
  Text,
} from "@groupwise/core/kernel";
import {
  errorOf,
  GENERATOR,
  isLogical,
  NUMBER,
  optionsOf,
  requireArguments,
  TEXT,
  TEXTS,
  unknownFunction,
  type Wanted,
} from "@groupwise/core/target";
import { openclCapabilities } from "../../print/capabilities.ts";
import { valueType } from "../../print/spelling.ts";
import { guide } from "./guide.ts";
import { callOf, type HeaderNames, KINDS, type LibraryCalls, OPS, PAIR } from "./names.ts";
import { preamble } from "./parts.ts";
import { Printer } from "./printer.ts";
import { SECTIONS, type Section } from "./sections.ts";
import { standardNames } from "./standard.ts";

/** Options of a header; all are optional. */
export interface OpenClHeaderOptions {
  /**
   * Names of the functions in the header, for example `reduce-add-f32`; {@link openclHeaderFunctions} lists
   * them. Default: all.
   */
  readonly functions?: readonly string[];
  /** Prefix of names; default `gw_`. */
  readonly prefix?: string;
  /** Maximum work-group size; default 8192. A work-item holds two values for each doubling. */
  readonly maxWorkGroupSize?: number;
  /** The command that regenerates the header, for a comment. */
  readonly command?: string;
}

const PREFIX = /^[A-Za-z](?:_?[A-Za-z0-9])*_?$/;

/**
 * The names of all functions that a header can contain.
 * @example
 * ```ts
 * import { openclHeaderFunctions } from "@groupwise/target-opencl/header";
 *
 * console.log(openclHeaderFunctions()[0]); // "reduce-add-i32"
 * ```
 */
export function openclHeaderFunctions(): readonly string[] {
  requireArguments(arguments, "openclHeaderFunctions", []);
  return LIBRARY_FUNCTIONS.filter(isOffered).map(({ name }) => name);
}

const OPTIONS: { readonly [K in keyof Required<OpenClHeaderOptions>]: Wanted } = {
  functions: TEXTS,
  prefix: TEXT,
  maxWorkGroupSize: NUMBER,
  command: TEXT,
};

/**
 * The text of the header: every function and element type of OpenCL C, or the selected ones. Deterministic.
 * @throws GroupwiseError `bad-name` for an invalid prefix, `unknown-function`
 * @example
 * ```ts
 * import { openclHeader } from "@groupwise/target-opencl/header";
 *
 * const text = openclHeader({ functions: ["reduce-add-f32"] });
 * console.log(text.includes("reduce_add")); // true
 * ```
 */
export function openclHeader(options?: OpenClHeaderOptions): string {
  const given = optionsOf(options, OPTIONS, "the options of openclHeader") as OpenClHeaderOptions;
  const { prefix = "gw_", maxWorkGroupSize = 8192, command = "groupwise header --target opencl" } = given;
  if (!PREFIX.test(prefix) || prefix.length > 32)
    throw errorOf("bad-name", { name: prefix, what: "a prefix" });
  const names: HeaderNames = { prefix, macro: prefix.toUpperCase() };
  const wanted = wantedOf(given.functions ?? openclHeaderFunctions());
  const sections = SCALAR_NAMES.flatMap((type) => {
    const calls = callsOf(wanted, type);
    if (calls.length === 0) return [];
    return SECTIONS[type].map((section) => {
      const library = libraryFor(type, calls, section, prefix, maxWorkGroupSize);
      return { type, calls, section, library };
    });
  });
  const common = commonOf(sections.map(({ library }) => library));
  const text = new Text();
  const put = (lines: readonly string[]): void => {
    for (const line of lines) text.line(line);
  };
  put(guide(names, GENERATOR, command, given.functions && signatures(names, wanted)));
  text.line(`#ifndef GROUPWISE_HEADER_${prefix}H`);
  text.line(`#define GROUPWISE_HEADER_${prefix}H`);
  text.line();
  put(preamble(names, maxWorkGroupSize));
  const printer = new Printer(text, names);
  printer.functions([...common.values()]);
  for (const { type, calls, section, library } of sections) {
    const { name = valueType(type), title = name, more } = section;
    const guard = guardOf(section, names);
    text.line();
    text.line(`// ${title}`);
    if (guard) text.line(`#if ${guard}`);
    printer.functions(library.functions.filter((fn) => !common.has(fn.name)));
    printer.groups(library.groups, { suffix: name, calls });
    if (more) put(more(names, valueType(type), calls));
    if (guard) text.line("#endif");
  }
  put(standardNames(names, standardCalls(wanted)));
  text.line();
  text.line("#endif");
  return text.toString();
}

/** The functions in the language's own type if it is available, otherwise in types that every device has. */
function libraryFor(
  type: Scalar,
  calls: LibraryCalls,
  section: Section,
  prefix: string,
  workGroupSize: number,
): Library<LibraryGroup> {
  const { carrier, lacks, name = valueType(type) } = section;
  const isNative = lacks === undefined;
  return libraryOf(
    LIBRARY_FUNCTIONS.filter((fn) => fn.type === type && isPrinted(fn, calls)),
    openclCapabilities({ fp64: isNative, fp16: isNative }),
    {
      workGroupSize,
      sizeKnown: false,
      taken: ["scratch"],
      name: (fn) => `${prefix}${callOf(fn)}_${name}`,
      helper: (helper) => `${prefix}${helper}`,
      ...(carrier && { carriers: { [type]: carrier } }),
    },
  );
}

/** Functions that several libraries call, by name; callees before callers, as each of them has them. */
function commonOf(libraries: readonly Library[]): ReadonlyMap<string, Library["functions"][number]> {
  const all = libraries.flatMap(({ functions }) => functions);
  const count = (name: string): number => all.filter((fn) => fn.name === name).length;
  return new Map(all.filter(({ name }) => count(name) > 1).map((fn) => [fn.name, fn]));
}

const guardOf = ({ has, lacks }: Section, { macro }: HeaderNames): string =>
  [has && `defined(${macro}${has})`, lacks && `!defined(${macro}${lacks})`].filter(Boolean).join(" && ");

/** Bools have votes alone; scans in pairs are no function of the header. */
const isOffered = ({ kind, type }: LibraryFunction): boolean =>
  kind !== "scans" && (type !== "bool" || kind === "all" || kind === "any");

/** Scans come in pairs, so that each type and operator has its butterfly once. */
function isPrinted(fn: LibraryFunction, calls: LibraryCalls): boolean {
  if (fn.kind === "scans") return PAIR.some((kind) => calls.includes(callOf({ ...fn, kind })));
  return !PAIR.some((kind) => kind === fn.kind) && calls.includes(callOf(fn));
}

/** In the order of the tables. */
function wantedOf(functions: readonly string[]): readonly LibraryFunction[] {
  const known = openclHeaderFunctions();
  const unknown = functions.find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownFunction(unknown, known, "openclHeaderFunctions()");
  return LIBRARY_FUNCTIONS.filter((fn) => isOffered(fn) && functions.includes(fn.name));
}

/** Kinds and operators of a type: the reduces, then the scans, as overloads are declared. */
function callsOf(wanted: readonly LibraryFunction[], type: Scalar): LibraryCalls {
  const calls = new Set(wanted.filter((fn) => fn.type === type).map(callOf));
  const all = [...KINDS.flatMap((kind) => OPS.map((op) => `${kind}_${op}`)), "broadcast", "all", "any"];
  return all.filter((call) => calls.has(call));
}

/** The functions with standard names; the predicates of logical operators are ints there. */
function standardCalls(wanted: readonly LibraryFunction[]): LibraryCalls {
  const isStandard = ({ op, type }: LibraryFunction): boolean => !op || !isLogical(op) || type === "i32";
  return [...new Set(wanted.filter(isStandard).map(callOf))];
}

/** The functions of a header with only some functions. */
const signatures = ({ prefix }: HeaderNames, wanted: readonly LibraryFunction[]): readonly string[] =>
  wanted.map((fn) => {
    const [{ name = valueType(fn.type) } = {}] = SECTIONS[fn.type].slice(-1);
    return prefix + (fn.type === "bool" ? callOf(fn) : `${callOf(fn)}_${name}`);
  });
