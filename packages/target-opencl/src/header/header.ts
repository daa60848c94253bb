/** One OpenCL C header with every work-group function, for kernels that people write themselves. */
import { errorOf, GENERATOR, OP_NAMES, opExists, SCALAR_NAMES, type Scalar } from "@groupwise/core";
import {
  LIBRARY_FUNCTIONS,
  type Library,
  type LibraryFunction,
  libraryOf,
  Text,
} from "@groupwise/core/kernel";
import { openclCapabilities } from "../capabilities.ts";
import { valueType } from "../spelling.ts";
import { doubleBits, guide, type HeaderNames, overloads, preamble, standardNames, votes } from "./parts.ts";
import { Printer } from "./printer.ts";

/** Choices for a header; nothing is needed. */
export interface OpenClHeaderOptions {
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
  more?(names: HeaderNames, type: string, ops: readonly string[]): readonly string[];
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

/**
 * The text of the header: every function and element type that OpenCL C has. Deterministic.
 * @throws GroupwiseError `bad-name` for a prefix that begins no name
 */
export function openclHeader(options: OpenClHeaderOptions = {}): string {
  const { prefix = "gw_", maxWorkGroupSize = 8192, command = "groupwise header --target opencl" } = options;
  if (!PREFIX.test(prefix) || prefix.length > 32)
    throw errorOf("bad-name", { name: prefix, what: "a prefix" });
  const names: HeaderNames = { prefix, macro: prefix.toUpperCase() };
  const sections = SCALAR_NAMES.flatMap((type) =>
    SECTIONS[type].map((section) => ({
      type,
      section,
      library: libraryFor(type, section, prefix, maxWorkGroupSize),
    })),
  );
  const common = commonOf(sections.map(({ library }) => library));
  const text = new Text();
  const put = (lines: readonly string[]): void => {
    for (const line of lines) text.line(line);
  };
  put(guide(names, GENERATOR, command));
  text.line(`#ifndef GROUPWISE_HEADER_${prefix}H`);
  text.line(`#define GROUPWISE_HEADER_${prefix}H`);
  text.line();
  put(preamble(names, maxWorkGroupSize));
  const printer = new Printer(text, names);
  printer.library({ functions: [...common.values()], groups: [] });
  for (const { type, section, library } of sections) {
    const { name = valueType(type), title = name, more } = section;
    const guard = guardOf(section, names);
    text.line();
    text.line(`// ${title}`);
    if (guard) text.line(`#if ${guard}`);
    printer.library({ ...library, functions: library.functions.filter((fn) => !common.has(fn.name)) });
    if (more) put(more(names, valueType(type), opsOf(type).map(underscored)));
    if (guard) text.line("#endif");
  }
  put(standardNames(names));
  text.line();
  text.line("#endif");
  return text.toString();
}

/** In the language's own type, behind the condition under which it is there; else in the types of every device. */
function libraryFor(type: Scalar, section: Section, prefix: string, workGroupSize: number): Library {
  const { carrier, lacks, name = valueType(type) } = section;
  const isNative = lacks === undefined;
  return libraryOf(
    LIBRARY_FUNCTIONS.filter((fn) => fn.type === type && isWanted(fn)),
    openclCapabilities({ fp64: isNative, fp16: isNative }),
    {
      workGroupSize,
      sizeKnown: false,
      taken: ["scratch"],
      name: ({ kind, op }) => prefix + underscored([kind, op, name].filter(Boolean).join("-")),
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

/** Scans come in pairs, so that each type and operator has its butterfly once; bools have votes alone. */
const isWanted = ({ kind, type }: LibraryFunction): boolean =>
  kind !== "scan-inclusive" && kind !== "scan-exclusive" && (type !== "bool" || isVote(kind));
const isVote = (kind: LibraryFunction["kind"]): boolean => kind === "all" || kind === "any";
const opsOf = (type: Scalar): readonly string[] => OP_NAMES.filter((op) => opExists(op, type));
const underscored = (name: string): string => name.replaceAll("-", "_");
