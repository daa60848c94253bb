/** Files as candidates: shells that ask a program for all candidates list none themselves. */
import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Candidate } from "./candidates.ts";

/** What holds a pipeline. */
export const CODE_FILES: readonly string[] = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json"];
/** What holds values. */
export const DATA_FILES: readonly string[] = [".npy", ".csv", ".tsv", ".txt", ".bin"];

/**
 * The entries of the folder that a word names, with the word's own spelling of it: folders, and files of these
 * extensions (of any, where none is given).
 */
export function filesFor(word: string, cwd: string, extensions?: readonly string[]): readonly Candidate[] {
  const folder = word.slice(0, word.lastIndexOf("/") + 1);
  const start = word.slice(folder.length);
  let names: readonly string[];
  try {
    names = readdirSync(resolve(cwd, folder || "."));
  } catch {
    return []; // no such folder: nothing begins so
  }
  return names.flatMap((name) => {
    if (!name.startsWith(start) || (name.startsWith(".") && !start.startsWith("."))) return [];
    if (isFolder(join(resolve(cwd, folder || "."), name)))
      return [{ value: `${folder}${name}/`, isOpen: true }];
    const isWanted = extensions === undefined || extensions.some((end) => name.toLowerCase().endsWith(end));
    return isWanted ? [{ value: folder + name }] : [];
  });
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
