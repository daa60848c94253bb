import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Runtime } from "@groupwise/core";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { openclRuntime } from "@groupwise/target-opencl/runtime";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { type Found, findDawn, findOpenCl, found } from "@groupwise/testkit/devices";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import type { Example } from "../support/program.ts";

const EXAMPLES = join(import.meta.dirname, "..");

async function lavapipe(): Promise<Found<Runtime>> {
  const dawn = await findDawn({ adapter: "lavapipe" });
  return dawn.found ? found(webgpuRuntime(dawn.value.device)) : dawn;
}

async function pocl(): Promise<Found<Runtime>> {
  const platform = findOpenCl("pocl");
  if (!platform.found) return platform;
  Object.assign(process.env, platform.value.env);
  return found(await openclRuntime());
}

/** Its file and column, as the runner parses them. */
export const sourceOf = ({ source }: Pick<Example, "source">): { path: string; column: string } => {
  const [file = "", column = ""] = source.split(":");
  return { path: join(EXAMPLES, file), column };
};

/** The rows of a CSV file, by an independent parser; `columns`: as objects, by headings. */
export const rowsOf = (text: string | Uint8Array): string[][] =>
  parse(Buffer.from(text), { relax_column_count: true }) as string[][];

/** The values of a column, by an independent parser. */
export function columnOf(
  example: Pick<Example, "source">,
  name: string = sourceOf(example).column,
): string[] {
  const [headings = [], ...rows] = rowsOf(readFileSync(sourceOf(example).path));
  return rows.map((row) => row[headings.indexOf(name)] ?? "");
}

/** The result of an example on a device, and what it prints. */
export async function outcome<R>(
  example: Example<R>,
  runtime: Runtime,
): Promise<{ result: R; printed: string[] }> {
  const printed: string[] = [];
  const { path, column } = sourceOf(example);
  const print = (line: string): void => void printed.push(line);
  const result = await example.main({ runtime, bytes: readFileSync(path), column, print });
  return { result, printed };
}

const DEVICES = { lavapipe, PoCL: pocl };
/**
 * Runs an example on JavaScript and checks its result; other devices must return and print the same.
 * @param title begins with the example's name
 */
export function example<R>(
  title: string,
  module: Example<R>,
  judge: (result: R, printed: string[]) => void,
): void {
  const onJs = (): ReturnType<typeof outcome<R>> => outcome(module, jsRuntime());
  test(`${title}, in JavaScript`, async () => {
    const { result, printed } = await onJs();
    judge(result, printed);
  });
  // Compiling takes seconds; the tests of packages run such pipelines on each device in every run.
  for (const [name, open] of isFullRun() ? Object.entries(DEVICES) : []) {
    deviceTest(`${title}, on ${name}: the same bits, the same lines`, open, async (runtime) => {
      try {
        expect(await outcome(module, runtime)).toEqual(await onJs());
      } finally {
        runtime.dispose();
      }
    });
  }
}
