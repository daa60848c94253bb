/** The declarations that a pipeline can use, collected by the compiler itself when the site is built. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { OPTIONS, PATH } from "./options.ts";

const ROOT = fileURLToPath(new URL("../../../../../../", import.meta.url)).replace(/[\\/]$/, "");

/** What the sandbox has beside the language. */
const GLOBALS = "declare const console: { log(...values: readonly unknown[]): void };\n";
const USES = 'import "@groupwise/dsl";\nimport "@groupwise/primitives";\n';

/** Where a file of this checkout is in the worker's file system. */
const placeOf = (file: string): string =>
  /^lib\..*\.d\.ts$/.test(basename(file)) ? `/${basename(file)}` : file.slice(ROOT.length);

/** Texts of all declarations that the two packages and the language need, by their place in the worker. */
export function declarations(): Readonly<Record<string, string>> {
  const entry = ROOT + PATH;
  const host = ts.createCompilerHost(OPTIONS);
  const read = host.getSourceFile;
  host.getSourceFile = (name, language, ...rest) =>
    name === entry ? ts.createSourceFile(name, USES, language) : read(name, language, ...rest);
  const program = ts.createProgram([entry], OPTIONS, host);
  const wrong = program.getSemanticDiagnostics(program.getSourceFile(entry));
  if (wrong.length > 0) throw new Error(`declarations are missing: ${ts.formatDiagnostics(wrong, host)}`);
  const files = program.getSourceFiles().filter(({ fileName }) => fileName !== entry);
  const texts = files.map(
    ({ fileName, text }) => [placeOf(fileName), text.replace(/^\/\/# sourceMappingURL=.*\n?/m, "")] as const,
  );
  const packages = new Set(files.flatMap(({ fileName }) => packageOf(fileName)));
  const manifests = [...packages].map((file) => [placeOf(file), readFileSync(file, "utf8")] as const);
  return Object.fromEntries([["/globals.d.ts", GLOBALS], ...texts, ...manifests]);
}

/** The manifest of the package that a file is in. */
function packageOf(file: string): readonly string[] {
  const [, folder] = /^(.*\/node_modules\/@groupwise\/[^/]+)\//.exec(file) ?? [];
  return folder === undefined ? [] : [join(folder, "package.json")];
}
