/** Reads a pipeline from a file: a JSON document, or a module that builds one. */
import { createRequire } from "node:module";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Checked, Pipeline } from "@groupwise/core";
import { parsePipeline } from "@groupwise/core/schema";
import { createJiti, type Jiti, type TransformOptions } from "jiti";
import { readBytes, requireFile, STDIN } from "../base/files.ts";
import { badFile, badUsage, isGroupwiseError } from "../base/problem.ts";
import { oneOf } from "../base/suggest.ts";
import { withSuggestion } from "../base/suggest-name.ts";
import { textOf } from "../values/text.ts";
import { moduleError } from "./module-error.ts";

const MODULES: readonly string[] = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"];

/**
 * The checked pipeline of a file. A module is run to get it; a JSON document is only read.
 * @param exportName of a module; its default export, or the only pipeline it exports, where it is absent
 * @param onSource is called with the full path of each file that is read, packages aside
 * @throws GroupwiseError `missing-file`, `bad-file`, `bad-usage`, and what `parsePipeline` throws
 */
export async function loadPipeline(
  path: string,
  cwd: string,
  exportName?: string,
  onSource?: (file: string) => void,
): Promise<Checked> {
  const document = await loadDocument(path, cwd, exportName, onSource);
  try {
    return parsePipeline(document);
  } catch (error) {
    throw withSuggestion(error, document);
  }
}

/** The document of a file, not checked yet: the text of a JSON file or of stdin (`-`), or what a module exports. */
export async function loadDocument(
  path: string,
  cwd: string,
  exportName?: string,
  onSource?: (file: string) => void,
): Promise<unknown> {
  if (path !== STDIN) onSource?.(resolve(cwd, path));
  const extension = extname(path).toLowerCase();
  if (extension === ".json" || path === STDIN) {
    if (exportName !== undefined)
      throw badUsage("--export applies to modules, but this is a JSON document", "omit --export", path);
    return textOf(readBytes(path, cwd), path);
  }
  const full = requireFile(path, cwd);
  if (!MODULES.includes(extension)) {
    const known = `${MODULES.join(", ")}, or .json for a document`;
    throw badFile(
      path,
      "its name does not have the extension of a pipeline file",
      undefined,
      `rename it; known extensions: ${known}`,
    );
  }
  return pick(await importModule(full, path, cwd, onSource), path, exportName);
}

async function importModule(
  full: string,
  path: string,
  cwd: string,
  onSource?: (file: string) => void,
): Promise<Readonly<Record<string, unknown>>> {
  const url = pathToFileURL(full).href;
  const options = {
    fsCache: false,
    moduleCache: false,
    interopDefault: false,
    nativeModules: ["@groupwise/dsl", "@groupwise/core"],
    virtualModules: await builderFor(url),
  };
  const { transform } = createJiti(url, options);
  const reading = (source: TransformOptions): { code: string } => {
    if (source.filename !== undefined) onSource?.(source.filename);
    return { code: transform(source) };
  };
  try {
    return await (onSource
      ? anew(createJiti(url, { ...options, transform: reading }), full)
      : createJiti(url, options).import(full));
  } catch (error) {
    if (isGroupwiseError(error)) throw error;
    throw moduleError(path, cwd, error);
  }
}

/**
 * Runs a module that may have changed since the last time. `import` leaves modules of JavaScript to Node, which keeps them and does not say what they import;
 * `require` transpiles them. Only `import` has `await` outside of functions.
 */
async function anew(jiti: Jiti, full: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return jiti(full);
  } catch (error) {
    if (!(error instanceof SyntaxError && /\bawait\b/.test(error.message))) throw error;
    return await jiti.import(full);
  }
}

/** The builder that came with this command, unless the author has another one. */
async function builderFor(url: string): Promise<Record<string, unknown>> {
  const name = "@groupwise/dsl";
  const resolved = (from: string): string => createRequire(from).resolve(name);
  try {
    if (resolved(url) !== resolved(import.meta.url)) return {};
  } catch {} // the author has none
  return { [name]: await import("@groupwise/dsl") };
}

function documentIn(value: unknown): Pipeline | undefined {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  const ir: unknown = "ir" in value ? value.ir : value;
  return (ir as { format?: unknown } | null)?.format === "groupwise-pipeline" ? (ir as Pipeline) : undefined;
}

function pick(module: Readonly<Record<string, unknown>>, path: string, exportName?: string): Pipeline {
  const found = Object.entries(module).flatMap(([name, value]) => {
    const document = documentIn(value);
    return document ? [[name, document] as const] : [];
  });
  const names = found.map(([name]) => name);
  if (exportName !== undefined) {
    const named = found.find(([name]) => name === exportName);
    if (named) return named[1];
    const hint = names.length ? oneOf(exportName, names) : "export what `pipeline(…)` returns";
    throw badUsage(`it exports no pipeline named ${JSON.stringify(exportName)}`, hint, path);
  }
  const chosen = found.find(([name]) => name === "default") ?? (found.length === 1 ? found[0] : undefined);
  if (chosen) return chosen[1];
  if (found.length === 0)
    throw badFile(path, "it exports no pipeline", undefined, "write: export default pipeline(…)");
  throw badUsage("it exports several pipelines", `choose one with --export: ${names.join(", ")}`, path);
}
