/**
 * The catalogue of errors: code → wording. An error says what happened, where, and what to do; the code is
 * stable, and programs and tests compare it.
 */

import { printable, printableLine, quoted, textOf } from "./quote.ts";

/** The wording of an error; its location and code are added. */
export interface Wording {
  readonly message: string;
  readonly hint: string;
}

const q = (text: unknown): string => quoted(text);
const literal = (value: unknown): string => (typeof value === "string" ? q(value) : textOf(value));

/** By what is wrong with an access. */
const ACCESSES = {
  reads: "reads outside of",
  writes: "writes outside of",
  unwritten: "reads an element that nothing wrote, of",
} as const;

/** Everything that can go wrong, by code. The parameters are the details that the wording needs. */
const CATALOGUE = {
  // documents
  "bad-json": (d: { reason: string }): Wording => ({
    message: `the text is not a JSON document: ${d.reason}`,
    hint: "pass the text of one pipeline document",
  }),
  "bad-document": (d: { reason: string }): Wording => ({
    message: `the document does not have the shape of a pipeline: ${d.reason}`,
    hint: "compare it with the schema that `groupwise schema` prints",
  }),
  "bad-manifest": (d: { reason: string }): Wording => ({
    message: `the document does not have the shape of a manifest: ${d.reason}`,
    hint: "compare it with the schema that `groupwise schema manifest` prints",
  }),
  "bad-version": (d: { version: unknown; supported: number }): Wording => ({
    message: `format version ${q(d.version)} is not supported`,
    hint: `this release reads version ${d.supported}; create the document again with this release, or upgrade`,
  }),
  "too-large": (d: { what: string; got: number; limit: number }): Wording => ({
    message: `${d.what}: ${d.got}, the limit is ${d.limit}`,
    hint: "split the pipeline into two that run one after the other",
  }),
  "bad-name": (d: { name: string; what: string }): Wording => ({
    message: `${q(d.name)} cannot name ${d.what}`,
    hint: "start with a letter, then use letters, digits and underscores (in pipeline names also hyphens); at most 64 characters, no double underscore and none at the end",
  }),
  "duplicate-name": (d: { name: string }): Wording => ({
    message: `the name ${q(d.name)} is used twice`,
    hint: "inputs, parameters and outputs share one namespace: rename one of the two",
  }),
  "bad-node-id": (d: { got: unknown; want: number }): Wording => ({
    message: `node ${d.want} of the list has the id ${q(d.got)}`,
    hint: "a node's id is its position in the list",
  }),
  "forward-reference": (d: { from: number; to: number }): Wording => ({
    message: `node ${d.from} uses node ${d.to}, which does not precede it`,
    hint: "list every node after the nodes that it uses; cycles are not allowed",
  }),
  "not-a-value": (d: { id: number; kind: string }): Wording => ({
    message: `node ${d.id} is a ${d.kind} and has no value`,
    hint: "refer to the node that computes the value",
  }),
  "unknown-op": (d: { op: unknown; known: readonly string[] }): Wording => ({
    message: `there is no operator ${q(d.op)}`,
    hint: `use one of: ${d.known.join(", ")}`,
  }),
  "bad-operator": (d: { name: string; reason: string }): Wording => ({
    message: `the operator ${q(d.name)} cannot be used: ${d.reason}`,
    hint: "an operator combines the fields of two records using only constants and element-wise operators",
  }),
  "unknown-operator": (d: { got: unknown; count: number }): Wording => ({
    message: `there is no operator ${q(d.got)} in the pipeline`,
    hint: `it lists ${d.count} operator(s) under \`operators\`, counted from 0`,
  }),
  "unknown-field": (d: { operator: string; got: unknown; fields: readonly string[] }): Wording => ({
    message: `the operator ${q(d.operator)} has no field ${q(d.got)}`,
    hint: `its fields, from 0: ${d.fields.join(", ") || "none"}`,
  }),
  "unknown-function": (d: { name: unknown; known: readonly string[]; rest?: string }): Wording => ({
    message: `there is no function ${q(d.name)}`,
    hint: `there are: ${d.known.join(", ")}${d.rest ?? ""}`,
  }),
  "unknown-type": (d: { type: unknown; known: readonly string[] }): Wording => ({
    message: `there is no element type ${q(d.type)}`,
    hint: `use one of: ${d.known.join(", ")}`,
  }),
  "op-type": (d: { op: string; type: string; known: readonly string[] }): Wording => ({
    message: `${d.op} does not exist for ${d.type}`,
    hint: d.known.length ? `use one of: ${d.known.join(", ")}` : "convert the value first",
  }),
  "type-mismatch": (d: { want: string; got: string; what: string }): Wording => ({
    message: `${d.what} must be ${d.want}, but is ${d.got}`,
    hint: "convert one of the two, for example with toF32() or toU32()",
  }),
  "wrong-identity": (d: { op: string; type: string; got: unknown; want: unknown }): Wording => ({
    message: `the identity of ${d.op} on ${d.type} is ${JSON.stringify(d.want)}, not ${literal(d.got)}`,
    hint: "write the identity from the table of operators as an exact literal",
  }),
  "bad-literal": (d: { type: string; got: unknown; holds?: string }): Wording => ({
    message: `${q(d.got)} is not exactly a value of ${d.type}`,
    hint: d.holds
      ? `pass ${d.holds}, or convert the other operand first, for example with toI32() or toF32()`
      : 'round it first; write "inf", "-inf", "nan", "-0" in quotes, and 64-bit integers as quoted decimal digits',
  }),
  "bad-work-group": (d: { got: unknown; limit: number }): Wording => ({
    message: `${q(d.got)} is not a work-group size`,
    hint: `use whole numbers in 1 to 3 dimensions, 1 to ${d.limit} work-items in all`,
  }),
  "not-uniform": (d: { what: string; uniformity: string; want: string }): Wording => ({
    message: `${d.what} differs from ${d.uniformity} to ${d.uniformity}, but must be ${d.want}`,
    hint: "compute it from parameters, constants, or a reduce or broadcast of sufficient scope",
  }),
  "not-on-host": (d: { what: string; got: string }): Wording => ({
    message: `${d.what} must be known before the run, but ${d.got} is not`,
    hint: "compute it from constants, u32 parameters, global sizes and lengths of tables with add, sub, mul, div, min and max",
  }),
  "broadcast-outside": (d: { index: number; size: number }): Wording => ({
    message: `the broadcast index ${d.index} lies outside the work-group of ${d.size}`,
    hint: "use an index below the work-group size",
  }),
  "no-output": (): Wording => ({
    message: "the pipeline has no output",
    hint: "return at least one value from it",
  }),
  "unused-condition": (): Wording => ({
    message: "nothing uses this condition; in `if` and `?:` every value of a pipeline is true",
    hint: "for ?: and if write condition.select(a, b), for && and || write a.and(b) and a.or(b), for ! write condition.not(); remove a condition that is not needed, or pass the option unusedConditions",
  }),
  "foreign-value": (): Wording => ({
    message: "a value belongs to another pipeline",
    hint: "apply that pipeline to values of this one instead: other({ input: value })",
  }),
  // lowering and emitting
  unsupported: (d: { what: string; reason: string; remedy?: string }): Wording => ({
    message: `${d.what} is not supported here: ${d.reason}`,
    hint:
      d.remedy ??
      "`groupwise check` and the support matrix show which targets support it; choose one of them",
  }),
  "work-group-too-large": (d: { size: number; limit: number }): Wording => ({
    message: `a work-group of ${d.size} work-items exceeds the device's limit of ${d.limit}`,
    hint: "choose a smaller workGroupSize",
  }),
  "bad-kernel": (d: { reason: string }): Wording => ({
    message: `a lowering produced an invalid kernel: ${d.reason}`,
    hint: "this is a bug of groupwise: please report it with the pipeline",
  }),
  "bad-access": (d: { array: string; problem: keyof typeof ACCESSES }): Wording => ({
    message: `a kernel ${ACCESSES[d.problem]} ${d.array}`,
    hint: "this is a bug of groupwise, and results are wrong: please report it with the pipeline, the sizes of the run and the device",
  }),
  "no-evaluation": (d: { reason: string }): Wording => ({
    message: `this engine does not run emitted text: ${d.reason}`,
    hint: "a content security policy forbids it: emit the module beforehand (`groupwise emit`), import it by its own URL, and pass it to `load` or to the runtime's option `importModule`",
  }),
  "no-modules": (d: { what: string; reason: string; remedy: string }): Wording => ({
    message: `this engine does not run ${d.what}: ${d.reason}`,
    hint: d.remedy,
  }),
  "not-carried": (d: { what: string; reason: string; remedy?: string }): Wording => ({
    message: `${d.what} cannot go from chunk to chunk: ${d.reason}`,
    hint: d.remedy ?? "run the whole range at once, or compute it in another pipeline",
  }),
  "bad-state": (d: { reason: string }): Wording => ({
    message: `the state cannot be used: ${d.reason}`,
    hint: "pass the unchanged state that the previous chunk of the same pipeline returned",
  }),
  "in-place-refused": (d: { output: string; input: string; reason: string }): Wording => ({
    message: `the output ${q(d.output)} cannot alias the input ${q(d.input)}: ${d.reason}`,
    hint: "compile without inPlace and give the output its own array",
  }),
  // running
  "bad-argument": (d: { what: string; want: string; got: string }): Wording => ({
    message: `${d.what} must be ${d.want}, but is ${d.got}`,
    hint: "see the TypeScript types of the call; omit optional properties instead of passing other values",
  }),
  "missing-input": (d: { name: string; known: readonly string[]; what?: string }): Wording => ({
    message: `the ${d.what ?? "input"} ${q(d.name)} is missing`,
    hint: `pass all of: ${d.known.join(", ")}`,
  }),
  "unknown-input": (d: { name: string; known: readonly string[] }): Wording => ({
    message: `there is no input or parameter ${q(d.name)}`,
    hint: d.known.length ? `the pipeline takes: ${d.known.join(", ")}` : "the pipeline takes none",
  }),
  "missing-output": (d: { name: string; known: readonly string[] }): Wording => ({
    message: `no array was passed for the output ${q(d.name)}`,
    hint: `pass a step an array for each of: ${d.known.join(", ")}`,
  }),
  "wrong-dtype": (d: { name: string; want: string; got: string; remedy?: string }): Wording => ({
    message: `${q(d.name)} must be ${d.want}, but is ${d.got}`,
    hint: d.remedy ?? "convert the data on the host: nothing is converted silently",
  }),
  detached: (d: { name: string }): Wording => ({
    message: `the array ${q(d.name)} has no memory: its buffer was transferred, or made too small for it`,
    hint: "transfer or resize buffers only after the call has returned: the call reads its arrays before it returns",
  }),
  "length-mismatch": (d: { lengths: string }): Wording => ({
    message: `the inputs differ in length: ${d.lengths}`,
    hint: "all inputs of a pipeline must be as long as its range",
  }),
  "length-needed": (): Wording => ({
    message: "the pipeline has no input, so the number of items is unknown",
    hint: "pass n in the options, on the command line --n",
  }),
  "bad-length": (d: { got: unknown; limit: number }): Wording => ({
    message: `${q(d.got)} is not a number of items`,
    hint: `use a whole number from 0 to ${d.limit}`,
  }),
  "bad-range": (d: { reason: string; sides: number }): Wording => ({
    message: `the range is invalid: ${d.reason}`,
    hint: `pass globalSize (and optionally globalOffset) with ${d.sides} whole number(s), dimension 0 first; size plus offset must be at most 2^32`,
  }),
  "too-many-items": (d: { n: number; limit: number; why: string; hint?: string }): Wording => ({
    message: `${d.n} items do not fit: ${d.why} allows ${d.limit}`,
    hint: d.hint ?? "run the data in several parts, or choose a device with larger limits",
  }),
  "bad-parameter": (d: { name: string; type: string; got: unknown }): Wording => ({
    message: `the parameter ${q(d.name)} must be a value of ${d.type}, but is ${q(d.got)}`,
    hint: "pass a number of the type's range (bigint for 64-bit integers, boolean for bool)",
  }),
  "bad-divisor": (d: { name: string; value: number; n?: number }): Wording => ({
    message: `the parameter ${q(d.name)} is ${d.value}, which does not divide ${d.n === undefined ? "the number of" : d.n} items`,
    hint: "pass the number of items of a row, and as many items as the rows have together",
  }),
  "table-too-long": (d: { name: string; length: number; limit: number }): Wording => ({
    message: `the table ${q(d.name)} has ${d.length} elements; the limit is ${d.limit}`,
    hint: "split the table, or choose a device with larger limits",
  }),
  "bad-capacity": (d: { name: string; got: number; limit: number }): Wording => ({
    message: `the capacity of ${q(d.name)}, or a term of it, is ${d.got}`,
    hint: `the capacity, and the parameters, lengths and intermediate results in it, must be from 0 to ${d.limit}`,
  }),
  "bad-buffer": (d: { name: string; reason: string; remedy?: string }): Wording => ({
    message: `the buffer ${q(d.name)} cannot be used: ${d.reason}`,
    hint: d.remedy ?? "the manifest gives the size and usage of each binding",
  }),
  "bad-slice": (d: { from: unknown; to: unknown; length: number }): Wording => ({
    message: `the elements ${q(d.from)} to ${q(d.to)} are outside an array of ${d.length}`,
    hint: "use whole numbers, 0 <= from <= to <= length",
  }),
  "foreign-device": (d: { what: string }): Wording => ({
    message: `${d.what} was made by another runtime`,
    hint: "make arrays and compile pipelines with the runtime whose recorder uses them",
  }),
  "bad-tuning": (d: { reason: string }): Wording => ({
    message: `the tuning cannot be used: ${d.reason}`,
    hint: "make it again with `groupwise tune`",
  }),
  "foreign-tuning": (d: { tuned: string; got: string }): Wording => ({
    message: `the tuning is for ${q(d.tuned)}, and this is ${q(d.got)}`,
    hint: "run `groupwise tune` on this device and pass its file, or omit the tuning",
  }),
  "empty-broadcast": (d: { name: string }): Wording => ({
    message: `there is no item to broadcast for ${q(d.name)}`,
    hint: "a device-wide broadcast needs at least one item",
  }),
  "scatter-outside": (d: { names: string }): Wording => ({
    message: `a scatter wrote outside its output: ${d.names}`,
    hint: "slots must be below the output's length; use a larger `length` or a stricter `where`",
  }),
  "scatter-conflict": (d: { name: string; slot: number; first: number; second: number }): Wording => ({
    message: `the items ${d.first} and ${d.second} both write slot ${d.slot} of ${q(d.name)}`,
    hint: "give each item a slot of its own, choose items with `where`, or choose an operator with `combine`",
  }),
  "device-missing": (d: { what: string; reason: string; remedy?: string }): Wording => ({
    message: `${d.what} is unavailable: ${d.reason}`,
    hint: `${d.remedy ? `${d.remedy}; ` : ""}\`groupwise doctor\` lists what is available and how to install what is missing`,
  }),
  "device-limit": (d: { what: string; need: number; limit: number; remedy?: string }): Wording => ({
    message: `the device allows ${d.limit} ${d.what}, but this pipeline needs ${d.need}`,
    hint:
      d.remedy ??
      "run fewer items at once or declare smaller work-groups, or choose a device with larger limits",
  }),
  "device-error": (d: { device: string; reason: string }): Wording => ({
    message: `${d.device} failed: ${d.reason}`,
    hint: "if the reason is not lack of memory, please report it with the output of `groupwise doctor`",
  }),
  "device-lost": (d: { device: string; reason: string }): Wording => ({
    message: `${d.device} was lost: ${d.reason}`,
    hint: "create a new device and compile again; results of unfinished runs are lost",
  }),
  disposed: (d: { what: string }): Wording => ({
    message: `${d.what} was disposed`,
    hint: "make it again, or dispose it later",
  }),
  // files and the command line
  "missing-file": (d: { path: string; reason: string }): Wording => ({
    message: `cannot read ${q(d.path)}: ${d.reason}`,
    hint: "check the path and the permissions",
  }),
  "bad-file": (d: { path: string; reason: string; hint?: string }): Wording => ({
    message: `${q(d.path)} cannot be used: ${d.reason}`,
    hint: d.hint ?? "see `groupwise run --help` for the supported formats",
  }),
  "bad-usage": (d: { reason: string; hint?: string }): Wording => ({
    message: d.reason,
    hint: d.hint ?? "see --help",
  }),
} as const;

/** The stable code of an error. */
export type ErrorCode = keyof typeof CATALOGUE;
/** The details that the wording of a code needs. */
export type ErrorDetails<C extends ErrorCode> = Parameters<(typeof CATALOGUE)[C]>[0];

/** Every code there is, for documentation and tests. */
export const ERROR_CODES: readonly ErrorCode[] = Object.keys(CATALOGUE) as ErrorCode[];

/** The error class of groupwise. Compare `code`; the texts may change. */
export class GroupwiseError extends Error {
  override readonly name = "GroupwiseError";
  /** Stable: what happened. */
  readonly code: ErrorCode;
  /** One sentence: what happened, without location and remedy. */
  readonly what: string;
  /** The location: a source location, a node of the pipeline or a file; possibly empty. */
  readonly where: string;
  /** What to do about it. */
  readonly hint: string;
  /** The page and anchor of the documentation, relative to the site. */
  readonly docs: string;

  constructor(code: ErrorCode, wording: Wording, where: string, cause?: unknown) {
    // Escapes control characters from documents and drivers.
    const [what, hint, place] = [printable(wording.message), printable(wording.hint), printableLine(where)];
    super(
      `${place ? `${place}: ` : ""}${what}. ${hint[0]?.toUpperCase()}${hint.slice(1)}. [${code}]`,
      cause === undefined ? undefined : { cause },
    );
    this.code = code;
    this.what = what;
    this.where = place;
    this.hint = hint;
    this.docs = `/errors#${code}`;
  }

  /** Plain data for `--json` and logs. */
  toJSON(): { code: ErrorCode; what: string; where: string; hint: string; docs: string } {
    return { code: this.code, what: this.what, where: this.where, hint: this.hint, docs: this.docs };
  }
}

/**
 * Makes the error of a code.
 * @param where the location
 * @param cause the error underneath, if any
 */
export function errorOf<C extends ErrorCode>(
  code: C,
  details: ErrorDetails<C>,
  where: string = "",
  cause?: unknown,
): GroupwiseError {
  const wording = (CATALOGUE[code] as (d: ErrorDetails<C>) => Wording)(details);
  return new GroupwiseError(code, wording, where, cause);
}
