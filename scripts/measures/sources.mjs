/** The source files of the packages, parsed: their lines, functions and imports. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import ts from "typescript";

/**
 * A function with a body, or the type of one: it has no lines.
 * @typedef {{ name: string, line: number, lines: number, parameters: number }} FunctionOf
 */

/**
 * One source file.
 * @typedef {{ path: string, lines: number, functions: FunctionOf[], imports: string[] }} Source
 */

/**
 * All source files of the packages below `root`, without tests and generated files.
 * @param {string} root
 * @returns {Source[]}
 */
export function sourcesOf(root) {
  return readdirSync(join(root, "packages"))
    .flatMap((name) => typescriptIn(join(root, "packages", name, "src")))
    .map((file) => sourceOf(posix.normalize(relative(root, file)), readFileSync(file, "utf8")));
}

function typescriptIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/**
 * @param {string} path relative to the root
 * @param {string} text
 * @returns {Source}
 */
export function sourceOf(path, text) {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position) => tree.getLineAndCharacterOfPosition(position).line + 1;
  const functions = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node)) {
      const [line, end] = [lineOf(node.getStart(tree)), lineOf(node.end)];
      const lines = node.body === undefined ? 0 : end - line + 1;
      functions.push({ name: nameOf(node, tree), line, lines, parameters: node.parameters?.length ?? 0 });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { path, lines: text.split("\n").length - 1, functions, imports: importsOf(tree, path) };
}

/** The name of a function, or of the variable that it is assigned to. */
function nameOf(node, tree) {
  const named = [node, node.parent].find((one) => one?.name !== undefined);
  return named === undefined ? "(unnamed)" : named.name.getText(tree);
}

/** Relative imports, types included, as paths from the root. */
function importsOf(tree, path) {
  return tree.statements.flatMap((statement) => {
    const from = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
    const text = from ? statement.moduleSpecifier?.text : undefined;
    return text?.startsWith(".") ? [relative(".", resolve(dirname(path), text))] : [];
  });
}
