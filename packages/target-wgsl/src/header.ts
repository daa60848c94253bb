/**
 * WGSL functions of the work-group for hand-written WGSL: a snippet to insert.
 * @module
 */

import {
  CFamily,
  commentText,
  type FnParam,
  type GroupFn,
  LIBRARY_FUNCTIONS,
  type LibraryFunction,
  libraryOf,
  type SharedArray,
  spellNames,
  Text,
  unmarked,
} from "@groupwise/core/kernel";
import {
  allowingFlush,
  BOOLEAN,
  errorOf,
  GENERATOR,
  NUMBER,
  oneOf,
  optionsOf,
  requireArguments,
  required,
  SCALARS,
  TEXT,
  TEXTS,
  unknownFunction,
  type Wanted,
} from "@groupwise/core/target";
import { WGSL_CAPABILITIES, withHalves } from "./print/capabilities.ts";
import { functionHead } from "./print/emit.ts";
import { isReserved } from "./print/keywords.ts";
import { dialectOf, spelled, vectorOf } from "./print/spelling.ts";

/** The contents of a snippet. */
export interface WgslHeaderOptions {
  /** Names of functions, for example `reduce-add-f32`; {@link wgslHeaderFunctions} lists them. */
  readonly functions: readonly string[];
  /** Work-items of the entry point's work-group, all dimensions together. */
  readonly workGroupSize: number;
  /** Prefix of names; default `gw_`. */
  readonly prefix?: string;
  /**
   * True for devices with the feature `shader-f16`: functions of halves take the language's own type. Otherwise
   * they take an f32 that holds a half, to the same bits.
   */
  readonly f16?: boolean;
  /**
   * `"flush"`: sums and products are the device's own operations, and results that depend on subnormal numbers may differ on a device that flushes
   * them. By default those of f32 are exact on every device.
   */
  readonly subnormals?: "flush";
  /** The command that regenerates the header, for a comment. */
  readonly command?: string;
}

const PREFIX = /^[A-Za-z](?:_?[A-Za-z0-9])*_?$/;
const LANE = "local_index";

const HALVES = {
  own: ["The first line of your module must be: enable f16;"],
  f32: [
    "An f16 is an f32 that holds a half. Results are halves, and other f32 operands are first rounded to the",
    "nearest half, ties to even.",
  ],
} as const;

/**
 * The names of all functions that a snippet can hold.
 * @example
 * ```ts
 * import { wgslHeaderFunctions } from "@groupwise/target-wgsl/header";
 *
 * console.log(wgslHeaderFunctions()[0]); // "reduce-add-i32"
 * ```
 */
export function wgslHeaderFunctions(): readonly string[] {
  requireArguments(arguments, "wgslHeaderFunctions", []);
  return LIBRARY_FUNCTIONS.map(({ name }) => name);
}

const OPTIONS: { readonly [K in keyof Required<WgslHeaderOptions>]: Wanted } = {
  functions: /*@__PURE__*/ required(TEXTS),
  workGroupSize: /*@__PURE__*/ required(NUMBER),
  prefix: TEXT,
  f16: BOOLEAN,
  subnormals: /*@__PURE__*/ oneOf("flush"),
  command: TEXT,
};

/**
 * The text of a snippet: the functions, the functions that they call, and the work-group memory that they need.
 * Deterministic.
 * @throws GroupwiseError `unknown-function`, `bad-name` for an invalid prefix, `work-group-too-large`
 * @example
 * ```ts
 * import { wgslHeader } from "@groupwise/target-wgsl/header";
 *
 * const text = wgslHeader({ functions: ["reduce-add-f32"], workGroupSize: 64 });
 * console.log(text.includes("fn gw_reduce_add_f32")); // true
 * ```
 */
export function wgslHeader(options: WgslHeaderOptions): string {
  const given = optionsOf(options, OPTIONS, "the options of wgslHeader") as WgslHeaderOptions;
  const { workGroupSize, prefix = "gw_", f16 = false, command = "groupwise header --target wgsl" } = given;
  const { subnormals } = given;
  if (!PREFIX.test(prefix) || prefix.length > 32)
    throw errorOf("bad-name", { name: prefix, what: "a prefix" });
  const known = f16 ? withHalves(WGSL_CAPABILITIES) : WGSL_CAPABILITIES;
  const capabilities = subnormals === "flush" ? allowingFlush(known) : known;
  const limit = capabilities.maxWorkGroupSize;
  if (!Number.isInteger(workGroupSize) || workGroupSize < 1 || workGroupSize > limit)
    throw errorOf("work-group-too-large", { size: workGroupSize, limit });
  const wanted = [...new Set(given.functions)].map(find);
  const nameOf = (name: string): string => prefix + name.replaceAll("-", "_");
  const { functions, groups } = libraryOf(wanted, capabilities, {
    workGroupSize,
    sizeKnown: true,
    taken: [LANE],
    name: (fn) => nameOf(fn.name),
    helper: nameOf,
    ...(!f16 && { carriers: { f16: "f32" } }),
  });

  const text = new Text();
  const comment = (line: string): void => text.line(`// ${commentText(line)}`);
  comment(`Work-group functions in WGSL for work-groups of ${workGroupSize}. Made by ${GENERATOR};`);
  comment("do not edit; regenerate it with");
  comment(`  ${command}`);
  comment("Put it beside your own WGSL. All work-items of the work-group must reach a call; each passes its");
  comment("own value and @builtin(local_invocation_index). An entry point's @workgroup_size must have");
  comment(`${workGroupSize} work-items in all, in any dimensions.`);
  if (wanted.some(({ type }) => type === "f16"))
    for (const line of HALVES[f16 ? "own" : "f32"]) comment(line);
  if (wanted.some(({ type }) => SCALARS[type].bits === 64))
    comment("A 64-bit value is a vec2<u32> of its words, the low one first; two of them are a vec4<u32>.");
  const common = familyOf(prefix);
  for (const array of memoryOf(groups)) {
    const { type } = spelled(array.type);
    text.line(`var<workgroup> ${prefix}${array.name}: array<${type}, ${array.length}>;`);
  }
  for (const fn of functions) {
    text.line();
    common.fn(text, fn, functionHead(fn, common));
  }
  for (const fn of groups) {
    text.line();
    for (const line of fn.doc) comment(line);
    const params = [...fn.params.map((param) => printParam(param, common)), `${LANE}: u32`];
    const head = `fn ${fn.name}(${params.join(", ")}) -> ${vectorOf(fn.returns, fn.width)} {`;
    text.block(head, () => common.block(text, fn.body));
  }
  return spellNames(text.toString(), isReserved);
}

function find(name: string): LibraryFunction {
  const found = LIBRARY_FUNCTIONS.find((fn) => fn.name === name);
  if (found) return found;
  throw unknownFunction(name, wgslHeaderFunctions(), "wgslHeaderFunctions()");
}

const printParam = ({ name, type, width = 1 }: FnParam, family: CFamily): string =>
  `${family.name(name)}: ${vectorOf(type, width)}`;

function familyOf(prefix: string): CFamily {
  const shared = (array: string): string => prefix + unmarked(array);
  const none = { params: "", groupId: "", groupCount: "", subgroupSize: "", isAtomic: () => false };
  const rows = (array: string): string => array;
  const stored = (array: string): string => array;
  return new CFamily(dialectOf({ ...none, localIndex: LANE, shared, rows, stored }));
}

/** One array of each name serves all functions in turn: each begins with a barrier. */
function memoryOf(groups: readonly GroupFn[]): SharedArray[] {
  const arrays = new Map<string, SharedArray>();
  for (const array of groups.flatMap((fn) => fn.shared)) {
    const known = arrays.get(array.name);
    if (!known || known.length < array.length) arrays.set(array.name, array);
  }
  return [...arrays.values()];
}
