// The changed files since a revision, and whether more than comments and layout changed.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const git = (root, ...args) =>
  execFileSync("git", args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "pipe"],
  });

/** The full name of a revision. @throws if it does not exist */
export const revisionOf = (root, name) => git(root, "rev-parse", "--verify", `${name}^{commit}`).trim();

/** Files that differ from the revision or that git does not know yet, as paths from the root. */
export function changedFiles(root, revision) {
  const tracked = git(root, "diff", "--name-only", "-z", revision).split("\0");
  const fresh = git(root, "ls-files", "--others", "--exclude-standard", "-z").split("\0");
  return [...new Set([...tracked, ...fresh])].filter(Boolean).sort();
}

/** A file's text at a revision; undefined if it did not exist. */
export function textAt(root, revision, path) {
  try {
    return git(root, "show", `${revision}:${path}`);
  } catch {
    return undefined;
  }
}

const { FirstJSDocNode, LastJSDocNode } = ts.SyntaxKind;
const isComment = ({ kind }) => kind >= FirstJSDocNode && kind <= LastJSDocNode;

/** The tokens of a source, without comments and layout. */
export function tokensOf(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  const tokens = [];
  const visit = (node) => {
    const children = node.getChildren(source);
    // An empty list is not a token.
    if (children.length === 0 && node.kind !== ts.SyntaxKind.SyntaxList) tokens.push(node.getText(source));
    for (const child of children) if (!isComment(child)) visit(child);
  };
  visit(source);
  return tokens;
}

const isSource = (path) => /\.(ts|mjs|js)$/.test(path);

/** Whether the two texts are the same program: they differ only in comments and layout. */
export function isSameProgram(path, before, after) {
  if (before === undefined || after === undefined) return false;
  if (before === after) return true;
  return isSource(path) && JSON.stringify(tokensOf(path, before)) === JSON.stringify(tokensOf(path, after));
}

/** The changed files in two lists: those in which more than comments and layout differs, and the others. */
export function sortChanges(root, revision) {
  const changes = { real: [], comments: [] };
  for (const path of changedFiles(root, revision)) {
    const file = join(root, path);
    const after = existsSync(file) ? readFileSync(file, "utf8") : undefined;
    changes[isSameProgram(path, textAt(root, revision, path), after) ? "comments" : "real"].push(path);
  }
  return changes;
}
