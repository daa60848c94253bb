/** The folder of the reports. */
export const RESULTS: string;
/** A report of `npm run bench -- primitives`. */
export interface Report {
  readonly surroundings: { readonly date: string };
  readonly device: { readonly target: string };
  readonly rows: readonly { readonly primitive: string; readonly n: number }[];
  readonly peers?: readonly object[];
}
export function newestRows<R extends Report>(
  reports: readonly R[],
): readonly {
  readonly target: string;
  readonly rows: readonly (R["rows"][number] & { readonly report: R })[];
}[];
export function benchmarkCharts(): Readonly<Record<string, string>>;
export function benchmarksPage(): string;
