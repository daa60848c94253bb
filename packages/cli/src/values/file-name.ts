/** What the name of a file says of its format. */
import { extname } from "node:path";

/** The format of a file by its name. */
export interface NamedFormat {
  /** In lower case, with the point; without that of a compression. */
  readonly extension: string;
  readonly isGzip: boolean;
}

/** `.csv` and gzip for `a.csv.gz`. */
export function formatOf(path: string): NamedFormat {
  const last = extname(path).toLowerCase();
  if (last !== ".gz") return { extension: last, isGzip: false };
  return { extension: extname(path.slice(0, -last.length)).toLowerCase(), isGzip: true };
}
