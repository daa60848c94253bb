// The functions of the specification, each with the checks of the suite that run it.
import { checksOf, provenRows } from "@groupwise/testkit";
import { code, page, table } from "./markdown.mjs";

const SECTIONS = [
  [
    "Work-group collective functions",
    ({ name }) => /^work_group_(all|any|broadcast|\w+_(add|min|max))$/.test(name),
  ],
  ["Work-group uniform arithmetic", ({ name }) => /_(mul|and|or|xor)$/.test(name)],
  ["Work-item functions", ({ name }) => name.startsWith("get_")],
];
const titleOf = ({ name, coordinates }) =>
  coordinates === undefined
    ? code(name)
    : `${code(name)}, ${coordinates} coordinate${coordinates > 1 ? "s" : ""}`;

/** The most ordinary of the tests: the one of its type, with the most common work-group size. */
const best = (names) =>
  names.find((name) => /work-groups of 64|in ranges|broadcasts of every type/.test(name)) ?? names[0];

export function checklistPage() {
  const rows = provenRows();
  const checks = checksOf("full");
  const sections = SECTIONS.map(([title, belongs]) => {
    const own = rows.filter(belongs);
    for (const { name, type, provenBy } of own)
      if (provenBy.length === 0) throw new Error(`no test proves ${name} of ${type}`);
    const body = own.map((row) => [
      titleOf(row),
      row.type ? code(row.type) : "",
      best(row.provenBy),
      row.provenBy.length > 1 ? `and ${row.provenBy.length - 1} more` : "",
    ]);
    return `## ${title}\n\n${table(["function", "type", "test", ""], body)}`;
  });
  if (SECTIONS.reduce((sum, [, belongs]) => sum + rows.filter(belongs).length, 0) !== rows.length)
    throw new Error("a row belongs to no section, or to two");
  return page(
    "Checklist of the specification",
    "the checks of the conformance suite",
    "Every function that OpenCL C lists for work-groups and work-items, at every element type, and the test that runs it " +
      `on every device: ${checks.length} checks, compared with the reference bit for bit. Tests have the names that the runner prints. The rows come from the ` +
      "pipelines that the tests compile; a row without a test fails the build. " +
      `${code("npm run bench -- suite")} prints which devices ran.`,
    ...sections,
  );
}
