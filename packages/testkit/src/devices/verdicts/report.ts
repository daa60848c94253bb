/** The inputs of external compilers, and their reports. */

export interface ReportedFile {
  /** Any text, which the report repeats. */
  readonly name: string;
  readonly code: string;
}

export interface Diagnostic {
  readonly severity: "error" | "warning" | "info";
  /** From 1; 0 if the compiler names no location. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface FileReport {
  readonly name: string;
  /** No error, and no warning where the compiler was asked to treat warnings as errors. */
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** All diagnostics of the reports that are not ok, one per line as `name:line:column: message`. */
export function formatReports(reports: readonly FileReport[]): string {
  return reports
    .filter((report) => !report.ok)
    .flatMap((report) =>
      report.diagnostics.map(
        (d) => `${report.name}:${d.line}:${d.column}: ${d.severity}: ${d.message.trim()}`,
      ),
    )
    .join("\n");
}

/** The compute entry points of a WGSL text, in order. For emitted texts only: comments are not parsed. */
export function entryPoints(code: string): string[] {
  return [...code.matchAll(/@compute\b[^{};]*?\bfn\s+(\w+)/g)].map((match) => match[1] as string);
}
