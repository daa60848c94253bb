/** The matrix as text or Markdown. */
import { markdownTable, textTable } from "../print/tables.ts";
import { isMissing, type Matrix, type MatrixPart, type MatrixRow, PARTS } from "./result.ts";

const partText = (part: MatrixPart | undefined): string => {
  if (!part) return "";
  const { passed, failed, refused, left, ended } = part;
  return [
    `${passed}`,
    failed && `${failed} failed`,
    refused && `${refused} refused`,
    left && `${left} left`,
    ended && `${ended} ended processes`,
  ]
    .filter(Boolean)
    .join(", ");
};

function cellsOf(row: MatrixRow): readonly string[] {
  if (isMissing(row))
    return [row.name, row.install ? "not installed" : "did not start", ...PARTS.map(() => ""), "", ""];
  const { openings } = row;
  const total = ({ open, first }: { readonly open: number; readonly first: number }): string =>
    `${Math.round(open + first)}`;
  return [
    row.name,
    [row.version, row.driver].filter(Boolean).join("; "),
    ...PARTS.map((name) => partText(row.parts[name])),
    openings ? `${total(openings.cold)} / ${total(openings.again)}` : "",
    row.switchedOn.join("; "),
  ];
}

export function printMatrix({ rows }: Matrix, isMarkdown: boolean): string {
  const head = ["implementation", "version", ...PARTS, "opening, cold and again, ms", "switched on"];
  const table = (isMarkdown ? markdownTable : textTable)([head, ...rows.map(cellsOf)]);
  const notes = rows.flatMap((row) =>
    isMissing(row)
      ? [`- ${row.name}: ${[row.reason, row.install].filter(Boolean).join("; ")}`]
      : PARTS.flatMap((name) =>
          (row.parts[name]?.failures ?? []).map((text) => `- ${row.name}, ${name}: ${text}`),
        ),
  );
  return `${table}\n\n${notes.join("\n")}\n`;
}
