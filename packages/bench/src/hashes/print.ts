/** A table of hashes as text or Markdown. */
import { place } from "../measure/surroundings.ts";
import { markdownTable, textTable } from "../print/tables.ts";
import { differing, type HashCell, type HashTable, namesOf, wantedHashes } from "./hashes.ts";

function mark(cell: HashCell | undefined, want: ReturnType<typeof wantedHashes>): string {
  if (!cell) return "";
  if ("unsupported" in cell) return "–";
  if (!want || "failed" in cell) return "FAILED";
  const forms = differing(cell, want);
  return forms.length === 0 ? "equal" : `DIFFERS: ${forms.join(", ")}`;
}

function notesOf({ devices, absent }: HashTable): string[] {
  const cells = devices.flatMap(({ label, cells }) =>
    Object.entries(cells).flatMap(([name, cell]) => {
      if ("unsupported" in cell) return [`${label}, ${name}: not supported: ${cell.unsupported}`];
      if ("failed" in cell) return [`${label}, ${name}: failed: ${cell.failed}`];
      return [];
    }),
  );
  return [...cells, ...absent.map(({ name, reason }) => `not here: ${name}: ${reason}`)];
}

/** Where a pipeline has other hashes than those of its row. */
function othersOf(table: HashTable): string[] {
  return namesOf(table).flatMap((name) =>
    table.devices.flatMap(({ label, cells }) => {
      const [cell, want] = [cells[name], wantedHashes(table, name)];
      return cell && want && differing(cell, want).length > 0
        ? [`${label}, ${name}: ${JSON.stringify(cell)}`]
        : [];
    }),
  );
}

/** The result as text or Markdown. */
export function printHashes(table: HashTable, isMarkdown: boolean): string {
  const print = isMarkdown ? markdownTable : textTable;
  const { devices, items, prefix } = table;
  const rows = namesOf(table).map((name) => {
    const want = wantedHashes(table, name);
    const marks = devices.map(({ cells }) => mark(cells[name], want));
    return [name, want?.whole ?? "–", want?.prefix ?? "–", ...marks];
  });
  const marks = rows.flatMap((row) => row.slice(3));
  const count = (is: (text: string) => boolean): number => marks.filter(is).length;
  return `${[
    `${isMarkdown ? "# " : ""}Hashes`,
    `SHA-256 of the results, first 64 bits, of ${items} items and of the first ${prefix}. "equal": the whole array, a view that begins later in its memory, and chunks have the first hash, and a run over the first items has the second one. Sorts have several steps, and no chunks.\n${place(table.surroundings)}`,
    print([
      ["", "device", "target", "driver", "views begin at multiples of"],
      ...devices.map((d, i) => [`${i + 1}`, d.label, d.target, d.driver, `${d.sliceAlignment} bytes`]),
    ]),
    print([["pipeline", "whole, view, chunks", "prefix", ...devices.map((_, i) => `${i + 1}`)], ...rows]),
    [...othersOf(table), ...notesOf(table)].map((line) => `- ${line}`).join("\n"),
    `${count((text) => text === "equal")} equal, ${count((text) => /^[A-Z]/.test(text))} differ or failed, ${count((text) => text === "–")} not supported`,
  ]
    .filter(Boolean)
    .join("\n\n")}\n`;
}
