/** Reads tuning files of untrusted sources, and writes them. */
import { LIST, OBJECT, requireArguments, shaped } from "@groupwise/ir/base/arguments.js";
import { errorOf, type GroupwiseError } from "@groupwise/ir/base/errors.js";
import { printableLine } from "@groupwise/ir/base/quote.js";
import { reasonOf } from "@groupwise/ir/schema/explain.js";
import { pathText } from "@groupwise/ir/schema/plain.js";
import { tuningSchema } from "./schema.ts";
import { TUNING_VERSION, type Tuning, type TuningRow } from "./tuning.ts";

/** Maximum number of characters of a tuning. */
const MOST_CHARACTERS = 2 ** 20;

const bad = (reason: string, where: string, cause?: unknown): GroupwiseError =>
  errorOf("bad-tuning", { reason }, where, cause);

/**
 * Reads a tuning. The result is a new frozen copy.
 * @param input the JSON text of a tuning, or its value
 * @throws GroupwiseError `bad-tuning`, `bad-version`; `where` is a path such as `rows[3].tiles.tile`
 * @example
 * ```ts
 * import { readFileSync } from "node:fs";
 * import { parseTuning } from "@groupwise/core/tuning";
 * import { nodeDevice } from "@groupwise/target-wgsl/node";
 * import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
 *
 * const tuning = parseTuning(readFileSync("groupwise-tuning.json", "utf8"));
 * const runtime = webgpuRuntime(await nodeDevice(), { tuning });
 * ```
 */
export function parseTuning(input: unknown): Tuning {
  requireArguments(arguments, "parseTuning", ["input"]);
  const value = parsed(input);
  const version = (value as { version?: unknown } | null)?.version;
  // A later format may differ in everything else, so the version is checked first.
  if (typeof version === "number" && version !== TUNING_VERSION)
    throw errorOf("bad-version", { version, supported: TUNING_VERSION }, "version");
  const read = tuningSchema().safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw bad(
      issue ? reasonOf(issue, value) : "it has another shape",
      issue ? pathText(issue.path) : "document",
    );
  }
  const tuning = read.data;
  checkSizes(tuning);
  checkRanges(tuning.rows);
  return frozen(tuning);
}

/**
 * The text of a tuning file: the rows in their order, two spaces to a level, and a line break at the end.
 * @example
 * ```ts
 * import { printTuning, tune } from "@groupwise/core/tuning";
 * import { wgsl } from "@groupwise/target-wgsl";
 * import { nodeDevice } from "@groupwise/target-wgsl/node";
 * import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
 *
 * const runtime = webgpuRuntime(await nodeDevice());
 * const { tuning } = await tune(runtime, wgsl, { seconds: 30, now: () => performance.now() });
 * console.log(printTuning(tuning));
 * ```
 */
export function printTuning(tuning: Tuning): string {
  requireArguments(arguments, "printTuning", { tuning: TUNING });
  return `${JSON.stringify(tuning, undefined, 2)}\n`;
}

const TUNING = /*@__PURE__*/ shaped("a tuning", { device: OBJECT, rows: LIST });

function parsed(input: unknown): unknown {
  try {
    const text = typeof input === "string" ? input : (JSON.stringify(input) ?? "");
    if (text.length > MOST_CHARACTERS)
      throw bad(`it has ${text.length} characters, and the limit is ${MOST_CHARACTERS}`, "document");
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof Error && "code" in error) throw error;
    const reason = printableLine(String((error as Error)?.message).slice(0, MOST_REASON));
    throw bad(`it is not JSON: ${reason}`, "document", error);
  }
}
const MOST_REASON = 200;

/** Sizes that the device of the tuning does not have. */
function checkSizes({ device, rows }: Tuning): void {
  const { maxWorkGroupSize: limit, subgroups } = device;
  if (subgroups && subgroups.minSize > subgroups.maxSize)
    throw bad("the least size of subgroups is above the largest", "device.subgroups");
  for (const [i, { tiles = {} }] of rows.entries())
    for (const name of ["tile", "lookBack"] as const)
      if ((tiles[name]?.workGroupSize ?? 0) > limit)
        throw bad(
          `a work-group is larger than the ${limit} work-items of the device`,
          `rows[${i}].tiles.${name}`,
        );
}

/** Each number of items has one row at most of a kind and type. */
function checkRanges(rows: readonly TuningRow[]): void {
  const end = ({ below }: TuningRow): number => below ?? Number.POSITIVE_INFINITY;
  for (const [i, row] of rows.entries()) {
    if (row.from >= end(row)) throw bad("its range of items is empty", `rows[${i}]`);
    const at = rows.findIndex(
      (other, k) =>
        k < i &&
        other.kind === row.kind &&
        other.type === row.type &&
        other.from < end(row) &&
        row.from < end(other),
    );
    if (at >= 0) throw bad(`its range of items overlaps that of rows[${at}]`, `rows[${i}]`);
  }
}

function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
