/** Files as candidates: a shell that gets candidates from a program does not add files itself. */
import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Candidate } from "./candidates.ts";

/** Extensions of files that contain a pipeline. */
export const CODE_FILES: readonly string[] = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json"];
/** Extensions of files that contain values. */
export const DATA_FILES: readonly string[] = [
  ".npy",
  ".npz",
  ".csv",
  ".tsv",
  ".arrow",
  ".gz",
  ".txt",
  ".bin",
];

/**
 * The entries of the folder that a word names, with the word's spelling of the folder: folders, and files with these
 * endings.
 */
export function filesFor(word: string, cwd: string, endings: readonly string[]): readonly Candidate[] {
  const folder = word.slice(0, word.lastIndexOf("/") + 1);
  const start = word.slice(folder.length);
  let names: readonly string[];
  try {
    names = readdirSync(resolve(cwd, folder || "."));
  } catch {
    return []; // the folder does not exist
  }
  return names.flatMap((name) => {
    if (!name.startsWith(start) || (name.startsWith(".") && !start.startsWith("."))) return [];
    if (isFolder(join(resolve(cwd, folder || "."), name)))
      return [{ value: `${folder}${name}/`, isOpen: true }];
    return endings.some((end) => name.toLowerCase().endsWith(end)) ? [{ value: folder + name }] : [];
  });
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
