/** Errors with the place that bundlers show. */

/** The place of an error, in the form of Rollup and Vite. */
interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** An error with its place. */
export interface Located extends Error {
  readonly id: string;
  readonly loc: Place;
}

/** The line that the `where` of an error names, such as `scan.ts:4:12`; otherwise the start of the first source. The loader of modules keeps lines, not columns. */
function placeOf(where: unknown, sources: readonly string[]): Place {
  const [, name = "", line = "1"] = /^(.+?):(\d+)(?::\d+)?$/s.exec(String(where)) ?? [];
  const ending = `/${name.replaceAll("\\", "/")}`;
  const file = sources.find((one) => `/${one.replaceAll("\\", "/")}`.endsWith(ending));
  return { file: file ?? sources[0] ?? "", line: file === undefined ? 1 : Number(line), column: 0 };
}

/**
 * The error itself, with its place.
 * @param sources the full paths of the files that were read, the pipeline file first
 */
export function withPlace(error: unknown, sources: readonly string[]): Located {
  const found = error instanceof Error ? error : new Error(String(error));
  const loc = placeOf((found as { readonly where?: unknown }).where, sources);
  return Object.assign(found, { id: loc.file, loc });
}
