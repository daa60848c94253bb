/** One OpenCL C header with every work-group function, for kernels that people write themselves. */
import { errorOf, GENERATOR, isLogical, SCALAR_NAMES, type Scalar } from "@groupwise/core";
import {
  LIBRARY_FUNCTIONS,
  type Library,
  type LibraryFunction,
  libraryOf,
  Text,
} from "@groupwise/core/kernel";
import { openclCapabilities } from "../capabilities.ts";
import { valueType } from "../spelling.ts";
import { guide } from "./guide.ts";
import { type Calls, type HeaderNames, KINDS, OPS } from "./names.ts";
import { doubleBits, overloads, preamble, votes } from "./parts.ts";
import { Printer } from "./printer.ts";
import { standardNames } from "./standard.ts";

/** Choices for a header; nothing is needed. */
export interface OpenClHeaderOptions {
  /**
   * Names of the functions that it holds, for example `reduce-add-f32`; {@link openclHeaderFunctions} lists them.
   * All when not given.
   */
  readonly functions?: readonly string[];
  /** What names begin with; `gw_` when not given. */
  readonly prefix?: string;
  /** The largest work-group, 8192 when not given. A work-item holds two values for each doubling. */
  readonly maxWorkGroupSize?: number;
  /** The command that makes it again, for a comment. */
  readonly command?: string;
}

/** Functions of a type, for devices that have some types and lack others. */
interface Section {
  /** What stands for the type in names, where that is not its own name. */
  readonly name?: string;
  /** What readers see over it, where that is not the name. */
  readonly title?: string;
  readonly has?: string;
  readonly lacks?: string;
  /** The type that callers hold values in. */
  readonly carrier?: Scalar;
  /** What follows the functions. */
  more?(names: HeaderNames, type: string, calls: Calls): readonly string[];
}

const NATIVE: Section = { more: overloads };
const LONG: Section = { has: "HAS_LONG", more: overloads };
/** A float on every device: one that returned half would meet both overloads of vstore_half_rte halfway. */
const HALF = { carrier: "f32" } as const;

const SECTIONS: Readonly<Record<Scalar, readonly Section[]>> = {
  i32: [NATIVE],
  u32: [NATIVE],
  i64: [LONG],
  u64: [LONG],
  f16: [
    { ...HALF, has: "HAS_HALF", more: overloads },
    { ...HALF, lacks: "HAS_HALF", title: "half, computed in float" },
  ],
  f32: [NATIVE],
  f64: [
    { has: "HAS_DOUBLE", more: (...given) => [...overloads(...given), ...doubleBits(...given)] },
    {
      has: "HAS_LONG",
      lacks: "HAS_DOUBLE",
      carrier: "u64",
      name: "double_bits",
      title: "double_bits, computed in integers",
    },
  ],
  bool: [{ title: "votes", more: votes }],
};

const PREFIX = /^[A-Za-z](?:_?[A-Za-z0-9])*_?$/;

/** The names of all functions that a header can hold. */
export const openclHeaderFunctions = (): readonly string[] =>
  LIBRARY_FUNCTIONS.filter(isOffered).map(({ name }) => name);

/**
 * The text of the header: every function and element type that OpenCL C has, or those that were asked for. Deterministic.
 * @throws GroupwiseError `bad-name` for a prefix that begins no name, `unknown-function`
 */
export function openclHeader(options: OpenClHeaderOptions = {}): string {
  const { prefix = "gw_", maxWorkGroupSize = 8192, command = "groupwise header --target opencl" } = options;
  if (!PREFIX.test(prefix) || prefix.length > 32)
    throw errorOf("bad-name", { name: prefix, what: "a prefix" });
  const names: HeaderNames = { prefix, macro: prefix.toUpperCase() };
  const wanted = wantedOf(options.functions ?? openclHeaderFunctions());
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
  put(guide(names, GENERATOR, command, options.functions && signatures(names, wanted)));
  text.line(`#ifndef GROUPWISE_HEADER_${prefix}H`);
  text.line(`#define GROUPWISE_HEADER_${prefix}H`);
  text.line();
  put(preamble(names, maxWorkGroupSize));
  const printer = new Printer(text, names);
  printer.library({ functions: [...common.values()], groups: [] });
  for (const { type, calls, section, library } of sections) {
    const { name = valueType(type), title = name, more } = section;
    const guard = guardOf(section, names);
    text.line();
    text.line(`// ${title}`);
    if (guard) text.line(`#if ${guard}`);
    printer.library({ ...library, functions: library.functions.filter((fn) => !common.has(fn.name)) }, calls);
    if (more) put(more(names, valueType(type), calls));
    if (guard) text.line("#endif");
  }
  put(standardNames(names, standardCalls(wanted)));
  text.line();
  text.line("#endif");
  return text.toString();
}

/** In the language's own type, behind the condition under which it is there; else in the types of every device. */
function libraryFor(
  type: Scalar,
  calls: Calls,
  section: Section,
  prefix: string,
  workGroupSize: number,
): Library {
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

/** `scan_exclusive_max`, `broadcast` */
const callOf = ({ kind, op }: LibraryFunction): string =>
  [kind, op].filter(Boolean).join("_").replaceAll("-", "_");

/** Scans come in pairs, so that each type and operator has its butterfly once. */
function isPrinted(fn: LibraryFunction, calls: Calls): boolean {
  const call = callOf(fn);
  if (fn.kind !== "scans") return !call.startsWith("scan_") && calls.includes(call);
  return ["inclusive", "exclusive"].some((kind) => calls.includes(call.replace("scans", `scan_${kind}`)));
}

/** In the order of the tables. */
function wantedOf(functions: readonly string[]): readonly LibraryFunction[] {
  const known = openclHeaderFunctions();
  for (const name of functions) if (!known.includes(name)) throw errorOf("unknown-function", { name, known });
  return LIBRARY_FUNCTIONS.filter((fn) => isOffered(fn) && functions.includes(fn.name));
}

/** Kinds and operators of a type: the reduces, then the scans, as overloads are declared. */
function callsOf(wanted: readonly LibraryFunction[], type: Scalar): Calls {
  const calls = new Set(wanted.filter((fn) => fn.type === type).map(callOf));
  const all = [...KINDS.flatMap((kind) => OPS.map((op) => `${kind}_${op}`)), "broadcast", "all", "any"];
  return all.filter((call) => calls.has(call));
}

/** What has a standard name; the predicates of logical operators are ints there. */
function standardCalls(wanted: readonly LibraryFunction[]): Calls {
  const isStandard = ({ op, type }: LibraryFunction): boolean => !op || !isLogical(op) || type === "i32";
  return [...new Set(wanted.filter(isStandard).map(callOf))];
}

/** The functions of a header that holds some. */
const signatures = ({ prefix }: HeaderNames, wanted: readonly LibraryFunction[]): readonly string[] =>
  wanted.map((fn) => {
    const [{ name = valueType(fn.type) } = {}] = SECTIONS[fn.type].slice(-1);
    return prefix + (fn.type === "bool" ? callOf(fn) : `${callOf(fn)}_${name}`);
  });
