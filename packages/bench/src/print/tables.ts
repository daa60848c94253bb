/** Tables: text for terminals, Markdown for later reading. */

export type TextTable = readonly (readonly string[])[];

/** A number of items as a power of two, where it is one. */
export const itemsText = (n: number): string =>
  Number.isInteger(Math.log2(n)) ? `2^${Math.log2(n)}` : String(n);

/** Columns padded to their widest cell. */
export function textTable(table: TextTable): string {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  return table
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

export function markdownTable(table: TextTable): string {
  const [head = [], ...body] = table.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const line = (row: readonly string[]): string => `| ${row.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
}
