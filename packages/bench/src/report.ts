/** Results as tables: text for terminals, Markdown for later reading. */
import { place } from "./measure/surroundings.ts";
import { ofPeers, ratioText } from "./peers/peer.ts";
import type { PrimitiveTimes } from "./primitives.ts";
import { itemsText, markdownTable, textTable } from "./print/tables.ts";
import type { Suite } from "./suite.ts";

/** The result as text or Markdown. */
export function printSuite(result: Suite, isMarkdown: boolean): string {
  const table = isMarkdown ? markdownTable : textTable;
  const rows = [
    ["device", "target", "driver", "effort", "passed", "failed", "skipped", "seconds"],
    ...result.devices.map((d) => [
      `${d.label} (${d.name})${d.tiles ? `, tiles of a tuning in ${d.tiles.tuned} of ${d.tiles.compiled} pipelines` : ""}`,
      d.target,
      d.driver,
      d.effort,
      ...[d.passed, d.failed, d.skipped, d.seconds].map(String),
    ]),
  ];
  const notes = result.devices.flatMap(({ label, checks }) =>
    checks.flatMap(({ name, status, details = [] }) =>
      status === "passed" ? [] : [`${label}: ${name}: ${status}: ${details.slice(0, 3).join("; ")}`],
    ),
  );
  const absent = result.absent.map(({ name, reason }) => `not here: ${name}: ${reason}`);
  return `${[
    `${isMarkdown ? "# " : ""}Conformance`,
    place(result.surroundings),
    table(rows),
    [...notes, ...absent].map((line) => `- ${line}`).join("\n"),
  ]
    .filter(Boolean)
    .join("\n\n")}\n`;
}

/** The result as text or Markdown: a row for each primitive, a column for each number of items. */
export function printPrimitives(result: PrimitiveTimes, isMarkdown: boolean): string {
  const table = isMarkdown ? markdownTable : textTable;
  const { rows, device, strategy } = result;
  const sizes = [...new Set(rows.map(({ n }) => n))].sort((a, b) => a - b);
  const names = [...new Set(rows.map(({ primitive }) => primitive))];
  const tableFor = (kept: readonly string[], cell: (row: PrimitiveTimes["rows"][number]) => string): string =>
    table([
      ["primitive", ...sizes.map(itemsText)],
      ...kept.map((name) => [
        name,
        ...sizes.map((size) => {
          const row = rows.find(({ primitive, n }) => primitive === name && n === size);
          return row ? cell(row) : "";
        }),
      ]),
    ]);
  const besidePeers = (result.peers ?? []).flatMap((peer) => {
    const has = (name: string): boolean => peer.rows.some((row) => row.name === name);
    const { peer: title, version, device: card, driver } = peer;
    return [
      `Time over that of ${title} ${version} (${card}, ${driver}), measured after ours; beside it the interquartile range of the latter over its median, where that is above 5 %:`,
      tableFor(names.filter(has), ({ primitive, ...row }) => {
        const { [title]: ratio } = ofPeers([peer], { name: primitive, ...row });
        return ratio ? ratioText(ratio) : "";
      }),
    ];
  });
  const wrong = rows.flatMap((row) =>
    row.wrong ? [`- wrong: ${row.primitive} of ${itemsText(row.n)}: ${row.wrong}`] : [],
  );
  return `${[
    `${isMarkdown ? "# " : ""}Primitives`,
    `Nanoseconds an item, on arrays that stay on ${device.name} (${device.target}, ${device.driver}); every result was checked on the host. Times by the ${result.clock}'s clock.${strategy ? ` Preferred strategy: ${strategy}.` : ""}\n${place(result.surroundings)}`,
    tableFor(names, ({ nsPerItem, wrong: found }) => `${nsPerItem.toPrecision(3)}${found ? " WRONG" : ""}`),
    "Gigabytes per second, bytes in and bytes out:",
    tableFor(names, ({ bytes, medianMs }) => (bytes / medianMs / 1e6).toPrecision(3)),
    ...besidePeers,
    wrong.join("\n"),
  ]
    .filter(Boolean)
    .join("\n\n")}\n`;
}
