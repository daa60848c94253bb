/** The matrix as text or Markdown. */
import { markdownTable, textTable } from "../print/tables.ts";
import { isMissing, type Matrix, type MatrixPart, type MatrixRow, PARTS, timeText } from "./result.ts";

const partText = (part: MatrixPart | undefined): string => {
  if (!part) return "";
  const { passed, failed, refused, left, ended, times } = part;
  return [
    times
      ? Object.entries(times)
          .map(([name, took]) => `${name}: ${timeText(took, 1000)}`)
          .join(", ")
      : `${passed}`,
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
  const { opening, effort } = row;
  return [
    row.name,
    [row.version, row.driver].filter(Boolean).join("; "),
    ...PARTS.map((name) => {
      const text = partText(row.parts[name]);
      return text && name === "suite" && effort ? `${text} (${effort})` : text;
    }),
    [opening?.cold, opening?.kept].flatMap((took) => (took ? [timeText(took, 1)] : [])).join(" / "),
    row.switchedOn.join("; "),
  ];
}

export function printMatrix({ rows }: Matrix, isMarkdown: boolean): string {
  const head = [
    ...[
      "implementation",
      "version",
      ...PARTS.map((name) => (name === "compile times" ? `${name}, s` : name)),
    ],
    ...["opening, cold and with the probe kept, ms", "switched on"],
  ];
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
