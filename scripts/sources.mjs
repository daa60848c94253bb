/** The source files of the packages: what they import, and the types that they export. */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import ts from "typescript";

/**
 * @typedef {object} Source
 * @property {string} path from the root, with slashes
 * @property {string[]} imports paths of imports of this project, types included
 * @property {string[]} values those of them that remain at run time
 * @property {string[]} types names of exported types
 */

/**
 * All source files of the packages below `root`, without tests.
 * @returns {Source[]}
 */
export const sourcesOf = (root) =>
  readdirSync(join(root, "packages"))
    .map((name) => join(root, "packages", name, "src"))
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
    .filter((file) => file.endsWith(".ts"))
    .sort()
    .map((file) => sourceOf(relative(root, file).replaceAll(sep, "/"), readFileSync(file, "utf8")));

/** @returns {Source} */
export function sourceOf(path, text) {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const links = tree.statements.filter((one) => /^(\.|@groupwise\/)/.test(one.moduleSpecifier?.text ?? ""));
  const pathOf = ({ moduleSpecifier: { text: name } }) =>
    name.startsWith(".")
      ? posix.join(posix.dirname(path), name)
      : name.replace(MODULE, "packages/$1/src/$2.ts");
  return {
    path,
    imports: links.map(pathOf),
    values: links.filter((one) => !isOfTypes(one)).map(pathOf),
    types: tree.statements.filter(isExportedType).map(({ name }) => name.text),
  };
}

/** A module of a package: the name below its sources, with the suffix of what is published. */
const MODULE = /^@groupwise\/([^/]+)\/(.*?)(?:\.js)?$/;

const isOfTypes = ({ isTypeOnly, importClause }) => isTypeOnly || importClause?.isTypeOnly === true;

const isExportedType = (one) =>
  (ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one) || ts.isClassDeclaration(one)) &&
  one.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
