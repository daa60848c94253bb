/** A row of a report of `npm run bench -- throughput`. */
export interface Row {
  readonly what: string;
  readonly n: number;
  readonly gigabytesPerSecond: number;
}
export interface Bar {
  readonly label: string;
  readonly text: string;
  /** Of the longest bar. */
  readonly share: number;
}
export function barsOf(report: { readonly rows: readonly Row[] }): readonly Bar[];
/** A report of `npm run bench -- primitives`. */
export interface Report {
  readonly surroundings: { readonly date: string };
  readonly device: { readonly target: string };
  readonly rows: readonly { readonly primitive: string; readonly n: number }[];
  readonly peers?: readonly object[];
}
export function newestBesides<R extends Report>(
  reports: readonly R[],
): readonly { readonly report: R; readonly rows: R["rows"] }[];
export function benchmarksPage(): string;
/** The folder of the reports. */
export const RESULTS: string;
