/** The shape of manifests, for hosts of any language, and for reading them. Made at the first call, as bundles that never parse drop it. */

import { requireArguments } from "@groupwise/ir/base/arguments.js";
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Formula } from "@groupwise/ir/base/formula.js";
import { printableLine } from "@groupwise/ir/base/quote.js";
import { reasonOf } from "@groupwise/ir/schema/explain.js";
import { pathText } from "@groupwise/ir/schema/plain.js";
import { ARRAY_TYPES, type ArrayType } from "@groupwise/ir/tables/narrow.js";
import { SCALAR_NAMES, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { MemoryType } from "@groupwise/kernel/language/memory.js";
import * as z from "zod/mini";
import { type CallArgument, MANIFEST_VERSION, type Manifest, type ManifestParam } from "./manifest.ts";

const text = () => z.string();
const whole = () => z.int().check(z.gte(0));
/** An enumeration of a table's names, typed as the names. */
const names = <T extends string>(list: readonly string[]) => z.enum(list as readonly T[] as [T, ...T[]]);
const NOT_IN_MEMORY: readonly string[] = ["bool", "bf16"];
const memory = () => names<MemoryType>(ARRAY_TYPES.filter((type) => !NOT_IN_MEMORY.includes(type)));
const scalar = () => names<Scalar>(SCALAR_NAMES);
const list = <S extends z.core.SomeType>(of: S) => z.readonly(z.array(of));
const access = () => z.enum(["read", "write", "read-write"]);

/** Descriptions of the JSON Schema; ids become its definitions. */
type About = <S extends z.ZodMiniType>(schema: S, description: string, id?: string) => S;

function formulaSchema(): z.ZodMiniType<Formula> {
  const formula: z.ZodMiniType<Formula> = z.lazy(() =>
    z.union([
      z.int(),
      z.enum(["n", "size_x", "size_y", "size_z"]),
      z.strictObject({ param: text() }),
      z.strictObject({ length: text() }),
      z.strictObject({
        op: z.enum(["add", "sub", "mul", "floor-div", "ceil-div", "min", "max"]),
        args: z.readonly(z.tuple([formula, formula])),
      }),
    ]),
  );
  return formula;
}

function paramSchema(about: About): z.ZodMiniType<ManifestParam> {
  return z.strictObject({
    name: text(),
    type: scalar(),
    role: about(
      z.enum(["length", "size", "offset", "table-length", "zero", "user"]),
      "length: n; size: a side of the range; offset: the first global id; table-length; zero: always 0; user: a parameter of the pipeline",
    ),
    dimension: z.exactOptional(whole()),
    table: z.exactOptional(text()),
    from: about(
      z.exactOptional(
        z.strictObject({ name: text(), type: scalar(), word: z.union([z.literal(0), z.literal(1)]) }),
      ),
      "The pipeline's parameter of which it is a word; word 0 has the low bits",
    ),
    divides: about(
      z.exactOptional(z.literal(true)),
      "The value must be positive and divide the number of items, or the results have no meaning",
    ),
    memory: about(memory(), "The type in memory; a bool is 0 or 1"),
    offset: about(z.exactOptional(whole()), "Bytes from the beginning of the parameter block"),
  });
}

const bindingShape = (size: () => z.ZodMiniType<Formula>, about: About) => ({
  name: text(),
  role: about(
    z.enum(["input", "table", "output", "scratch", "status"]),
    "scratch and status belong to one run; a call with scratch: function makes them itself",
  ),
  type: about(names<ArrayType>(ARRAY_TYPES), "The element type of the pipeline"),
  memory: about(
    memory(),
    "The type in memory: of a bool a number, 0 or 1; u32 may be one of two words of 64 bits, or hold several narrow elements",
  ),
  bytesPerElement: about(whole(), "Bytes of an element of the pipeline's type in memory"),
  elements: about(size(), "Elements of the pipeline's type"),
  bytes: about(size(), "Bytes to allocate"),
  alignment: about(whole(), "The address, or the offset in a buffer, is a multiple of it"),
  cleared: about(z.boolean(), "Whether all bytes are 0 before every run"),
  scatter: z.exactOptional(z.literal(true)),
  parts: about(z.exactOptional(whole()), "Number of bindings of the array, with consecutive slots"),
  partElements: about(z.exactOptional(whole()), "Elements of every part but the last"),
  slot: about(z.exactOptional(whole()), "The binding number in the sources"),
  rowSlot: about(z.exactOptional(whole()), "The binding number of the same array as vectors"),
  uniformity: z.exactOptional(z.enum(["uniform", "group", "item"])),
  lengthFrom: about(z.exactOptional(text()), "The output that has the number of valid elements"),
  hidden: about(z.exactOptional(z.boolean()), "An output that exists only for another's lengthFrom"),
  needsItems: about(z.exactOptional(z.boolean()), "The output does not exist over an empty range"),
  inPlace: about(z.exactOptional(text()), "The input whose elements the array holds before the run"),
});

function callSchemas(about: About) {
  const argument: z.ZodMiniType<CallArgument> = z.union([
    z.strictObject({
      name: text(),
      scalar: about(
        names<Scalar | "u16" | "size">([...SCALAR_NAMES, "u16", "size"]),
        "The type of the language; size is C's size_t, u16 the bits of an f16",
      ),
      table: about(z.exactOptional(text()), "The table whose number of elements it is"),
    }),
    z.strictObject({ name: text(), array: access() }),
  ]);
  return list(
    z.strictObject({
      function: text(),
      arguments: list(argument),
      scratch: about(
        z.enum(["host", "function"]),
        "Who allocates arrays of roles scratch and status, and clears the cleared arrays",
      ),
    }),
  );
}

function build(about: About): z.ZodMiniType<Manifest> {
  const formula = about(
    formulaSchema(),
    "A whole number of the run: of n or the sides, of parameters, of lengths of tables",
    "formula",
  );
  const size = (): z.ZodMiniType<Formula> => z.lazy(() => formula);
  const binding = about(z.strictObject(bindingShape(size, about)), "An array of a run", "binding");
  const pass = z.strictObject({
    entryPoint: text(),
    file: text(),
    workGroupSize: whole(),
    groups: about(size(), "Number of work-groups; the pass is skipped if it is 0"),
    params: about(list(text()), "The arguments of a kernel: these scalars, then the arrays"),
    bindings: list(
      z.strictObject({
        name: text(),
        access: access(),
        vectorBytes: about(
          z.exactOptional(whole()),
          "Of an array in parts: the pass does not use a part of fewer bytes",
        ),
      }),
    ),
    workGroupBytes: whole(),
  });
  return z.strictObject({
    format: z.literal("groupwise-manifest"),
    version: z.literal(MANIFEST_VERSION),
    generator: text(),
    command: text(),
    pipeline: text(),
    target: text(),
    workGroupSize: list(whole()),
    maxItems: whole(),
    strategy: text(),
    params: about(list(about(paramSchema(about), "A scalar of a run", "param")), "In order"),
    paramBlock: about(
      z.exactOptional(z.strictObject({ binding: whole(), bytes: whole(), alignment: whole() })),
      "The uniform buffer with all scalars",
    ),
    calls: about(z.exactOptional(callSchemas(about)), "Functions that a host calls in place of passes"),
    bindings: list(binding),
    passes: about(list(about(pass, "A dispatch", "pass")), "In order"),
    scratchBytes: about(size(), "Bytes of all scratch arrays in one allocation, each rounded up to 256"),
    requires: about(list(text()), "Features of a device"),
    assumes: about(
      z.exactOptional(list(text())),
      "What the text takes from its language as exact: rows of the table of probes",
    ),
    checks: z.exactOptional(
      list(
        z.strictObject({
          kernel: text(),
          array: text(),
          problem: z.enum(["reads", "writes", "unwritten"]),
        }),
      ),
    ),
    flags: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  });
}

/**
 * The JSON Schema (draft 2020-12) of a manifest.
 * @example
 * ```ts
 * import { manifestJsonSchema } from "@groupwise/core/schema";
 *
 * console.log(Object.keys(manifestJsonSchema()).includes("$schema")); // true
 * ```
 */
export function manifestJsonSchema(): object {
  requireArguments(arguments, "manifestJsonSchema", []);
  const metadata = z.registry<{ id?: string; description: string }>();
  const schema = build((one, description, id) => {
    metadata.add(one, { description, ...(id !== undefined && { id }) });
    return one;
  });
  const made = z.toJSONSchema(schema, {
    metadata,
    // `readonly` is a property of the copy, not of the document.
    override: ({ jsonSchema }) => {
      delete jsonSchema.readOnly;
    },
  });
  const { $schema, ...rest } = made;
  return { $schema, title: `groupwise manifest, version ${MANIFEST_VERSION}`, ...rest };
}

let built: z.ZodMiniType<Manifest> | undefined;

/**
 * Reads a manifest of a file.
 * @param input the JSON text of a manifest, or its value
 * @throws GroupwiseError `bad-manifest`, `bad-version`; `where` is a path such as `bindings[3].memory`
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { emit, printManifest } from "@groupwise/core";
 * import { parseManifest } from "@groupwise/core/schema";
 * import { js } from "@groupwise/target-js";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const text = printManifest(emit(sums, js).manifest);
 * console.log(parseManifest(text).pipeline); // "sums"
 * ```
 */
export function parseManifest(input: unknown): Manifest {
  requireArguments(arguments, "parseManifest", ["input"]);
  const value = typeof input === "string" ? parsed(input) : input;
  const version = (value as { version?: unknown } | null)?.version;
  // Another version may differ in everything else, so it is checked first.
  if (version !== undefined && version !== MANIFEST_VERSION)
    throw errorOf("bad-version", { version, supported: MANIFEST_VERSION }, "version");
  built ??= build((schema) => schema);
  const read = built.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues as [z.core.$ZodIssue];
  const reason = issue.code === "invalid_union" ? "it has another form" : reasonOf(issue, value);
  throw errorOf("bad-manifest", { reason }, pathText(issue.path));
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    const reason = `it is not JSON: ${printableLine((error as Error).message.slice(0, 200))}`;
    throw errorOf("bad-manifest", { reason }, "document", error);
  }
}
