/** Text for a cell of a table. */
export const cell = (text) => String(text).replaceAll("|", "\\|").replaceAll("\n", " ");

/** A table of a head and rows of texts. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A page from its parts, with its source. */
export const page = (title, source, ...parts) =>
  `${[`# ${title}`, ...parts, `*Printed from ${source} when the site was built.*`].join("\n\n")}\n`;

export const code = (text) => `\`${text}\``;
