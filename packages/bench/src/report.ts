/** Results as tables: text for terminals, Markdown for people who read them later. */
import type { Cell, Equivalence } from "./equivalence.ts";
import type { Speed } from "./speed.ts";
import type { Surroundings } from "./surroundings.ts";

export type Table = readonly (readonly string[])[];

/** Columns padded to their widest cell. */
export function textTable(table: Table): string {
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

export function markdownTable(table: Table): string {
  const [head = [], ...body] = table.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const line = (row: readonly string[]): string => `| ${row.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
}

const place = (s: Surroundings): string =>
  `commit ${s.commit}; Node ${s.node}; ${s.platform}; ${s.cores} × ${s.cpu}; ${s.memoryGiB} GiB`;

const MARKS: Readonly<Record<Cell["status"], string>> = {
  equal: "equal",
  differs: "DIFFERS",
  "not supported": "–",
};

function equivalenceTables({ devices, rows }: Equivalence): { head: Table; body: Table; notes: string[] } {
  const head = [
    ["device", "target", "driver", "subnormal numbers", "sizes", "seconds"],
    ...devices.map((d) => [
      `${d.label} (${d.name})`,
      d.target,
      d.driver,
      d.subnormals,
      `${d.sizes.length}, up to ${d.sizes.at(-1) ?? 0}`,
      String(d.seconds),
    ]),
  ];
  const body = [
    ["type", "scope", "collective", ...devices.map(({ label }) => label)],
    ...rows.map((row) => [
      row.type,
      row.scope,
      row.collective,
      ...row.cells.map(({ status }) => MARKS[status]),
    ]),
  ];
  const notes = new Set<string>(
    devices
      .filter(({ flushes }) => flushes)
      .map(({ label, subnormals }) => `${label} ${subnormals}: data with such numbers is left out there`),
  );
  for (const { type, scope, collective, cells } of rows) {
    cells.forEach(({ status, detail }, i) => {
      const label = devices[i]?.label;
      if (status === "differs")
        notes.add(`${label} differs in ${collective} of ${type}, ${scope}: ${detail}`);
      if (status === "not supported") notes.add(`${label} does not support ${type}: ${detail}`);
    });
  }
  return { head, body, notes: [...notes] };
}

/** The result as text or Markdown. */
export function printEquivalence(result: Equivalence, isMarkdown: boolean): string {
  const { head, body, notes } = equivalenceTables(result);
  const table = isMarkdown ? markdownTable : textTable;
  const count = (status: Cell["status"]): number =>
    result.rows.reduce((sum, { cells }) => sum + cells.filter((cell) => cell.status === status).length, 0);
  const absent = result.absent.map(({ name, reason }) => `not here: ${name}: ${reason}`);
  return `${[
    `${isMarkdown ? "# " : ""}Equivalence`,
    `Every collective, bit for bit against the reference (${result.effort}).\n${place(result.surroundings)}`,
    table(head),
    table(body),
    [...notes, ...absent].map((line) => `- ${line}`).join("\n"),
    `${count("equal")} equal, ${count("differs")} differ, ${count("not supported")} not supported`,
  ]
    .filter(Boolean)
    .join("\n\n")}\n`;
}

/** The result as text or Markdown. */
export function printSpeed(result: Speed, isMarkdown: boolean): string {
  const table = isMarkdown ? markdownTable : textTable;
  const rows = [
    ["device", "driver", "pipeline", "n", "median ms", "least ms", "against copy"],
    ...result.rows.map((row) => [
      row.device.name,
      row.device.driver,
      row.pipeline,
      String(row.n),
      row.medianMs.toFixed(2),
      row.leastMs.toFixed(2),
      row.againstCopy.toFixed(2),
    ]),
  ];
  const how = `Whole runs: upload, passes, download. Checked against the reference first, then ${result.warmUps} runs to warm up and the median of ${result.runs}.`;
  const absent = result.absent.map(({ name, reason }) => `- not here: ${name}: ${reason}`).join("\n");
  return `${[`${isMarkdown ? "# " : ""}Speed`, `${how}\n${place(result.surroundings)}`, table(rows), absent]
    .filter(Boolean)
    .join("\n\n")}\n`;
}
