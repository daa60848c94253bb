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
export function benchmarksPage(): string;
