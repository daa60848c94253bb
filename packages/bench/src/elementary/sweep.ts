/**
 * Compares emitted C with libm and libquadmath on inputs of elementary functions: all or every n-th, random pairs, and
 * random doubles.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { emit } from "@groupwise/core";
import { FUNCTION_ROWS, type FunctionName, isElementary, isOn } from "@groupwise/core/target";
import { c } from "@groupwise/target-c";
import { functionsOf } from "@groupwise/testkit";
import { ORACLE } from "./oracle.ts";
import { DOUBLE_ORACLE } from "./oracle-double.ts";

export interface SweepOptions {
  /** Those of one operand by default. */
  readonly names: readonly FunctionName[];
  readonly type: "f16" | "f32" | "f64";
  /** The step between tested bit patterns. */
  readonly stride: number;
  /** Random pairs, of functions of two operands, in place of bit patterns. */
  readonly pairs?: number;
  /** Random and hard operands of f64, whose bit patterns are too many. */
  readonly count?: number;
  readonly say: (line: string) => void;
}
export interface SweepRow {
  readonly name: string;
  readonly inputs: number;
  readonly wrong: number;
  /** Number of results that a double could not determine. */
  readonly hard: number;
  /** The largest error in ulp; of f64 alone. */
  readonly worst?: number;
  readonly seconds: number;
  /** The first results that differ. */
  readonly examples: readonly string[];
}

const withOthers = (others: number): readonly FunctionName[] =>
  (Object.keys(FUNCTION_ROWS) as FunctionName[]).filter(
    (op) => isElementary(op) && FUNCTION_ROWS[op].rest.length === others,
  );
/** Of both kinds, those that f64 has. */
export const OF_DOUBLES: readonly FunctionName[] = [...withOthers(0), ...withOthers(1)].filter((op) =>
  isOn(FUNCTION_ROWS[op], "f64"),
);
/** Elementary functions of one operand. */
export const SWEPT: readonly FunctionName[] = withOthers(0);
/** Those of two. */
export const PAIRED: readonly FunctionName[] = withOthers(1);

/** A program that takes a range of bit patterns and a stride. */
function compiled(folder: string, name: FunctionName, { type }: SweepOptions): string {
  const { files } = emit(functionsOf(type, [name]), c);
  for (const file of files) writeFileSync(join(folder, file.path), file.text);
  writeFileSync(join(folder, "oracle.c"), type === "f64" ? DOUBLE_ORACLE : ORACLE);
  const source = files.find((file) => file.path.endsWith(".c"))?.path as string;
  const program = join(folder, name);
  const defines = [
    `FUNCTION=${name}`,
    `KERNEL=${source.replace(/\.c$/, "").replaceAll("-", "_")}`,
    `HALF=${Number(type === "f16")}`,
    `PAIRS=${FUNCTION_ROWS[name].rest.length}`,
  ];
  const options = ["-O2", "-std=gnu11", "-ffp-contract=off", ...defines.map((define) => `-D${define}`)];
  execFileSync("gcc", [...options, "oracle.c", source, "-o", program, "-lquadmath", "-lm"], { cwd: folder });
  return program;
}

const output = (program: string, args: readonly number[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args.map(String));
    let text = "";
    child.stdout.on("data", (part) => {
      text += part;
    });
    child.on("error", reject);
    // 1: some differ. Any other code is a failure.
    child.on("close", (code, signal) =>
      code === 0 || code === 1 ? resolve(text) : reject(new Error(`${program} ended with ${signal ?? code}`)),
    );
  });

async function sweepOne(folder: string, name: FunctionName, options: SweepOptions): Promise<SweepRow> {
  const { type, stride, pairs, count } = options;
  const program = compiled(folder, name, options);
  const end = count ?? pairs ?? (type === "f16" ? 2 ** 16 : 2 ** 32);
  const parts = availableParallelism();
  // Parts begin at multiples of the stride.
  const size = Math.ceil(end / parts / stride) * stride;
  const started = performance.now();
  const texts = await Promise.all(
    Array.from({ length: parts }, (_, i) =>
      output(program, [Math.min(i * size, end), Math.min((i + 1) * size, end), stride]),
    ),
  );
  const counts = texts.map((text) =>
    (/^(\d+) (\d+) (\d+)(?: ([\d.]+))?$/m.exec(text) ?? []).slice(1).map(Number),
  );
  const total = (at: number): number => counts.reduce((sum, part) => sum + (part[at] ?? Number.NaN), 0);
  return {
    name,
    inputs: total(0),
    wrong: total(1),
    hard: total(2),
    ...(type === "f64" && { worst: Math.max(...counts.map((part) => part[3] ?? Number.NaN)) }),
    seconds: (performance.now() - started) / 1000,
    examples: texts.flatMap((text) => text.split("\n").filter((line) => line.startsWith("f("))).slice(0, 5),
  };
}

/** A row for each function; gcc with libquadmath must be there. */
export async function sweep(options: SweepOptions): Promise<readonly SweepRow[]> {
  const rows: SweepRow[] = [];
  const folder = mkdtempSync(join(tmpdir(), "groupwise-sweep-"));
  try {
    for (const name of options.names) {
      const row = await sweepOne(folder, name, options);
      options.say(`${name} of ${options.type}: ${row.inputs} inputs, ${row.wrong} wrong`);
      rows.push(row);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}

export const printSweep = (rows: readonly SweepRow[]): string =>
  [
    "| function | inputs | differ | decided by more digits, or of f64 not nearest | largest error, ulp | seconds |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows.map(
      ({ name, inputs, wrong, hard, worst, seconds }) =>
        `| \`${name}\` | ${inputs} | ${wrong} | ${hard} | ${worst?.toFixed(5) ?? "0.5"} | ${seconds.toFixed(0)} |`,
    ),
    ...rows.flatMap(({ name, examples }) => examples.map((line) => `${name}: ${line}`)),
    "",
  ].join("\n");
