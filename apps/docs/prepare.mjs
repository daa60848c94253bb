// Makes the pages that are not written by hand, before the site is built:
//   guide/      the repository's own documents, so that the site and the repository read the same text
//   public/gallery/ pictures of runs
//   public/charts/ results of packages/bench: bars beside other libraries, times by length
//   generated/  tables and errors printed from the code, the command line's own help
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { benchmarkCharts, benchmarksPage } from "./prepare/benchmarks.mjs";
import { bundlesPage } from "./prepare/bundles.mjs";
import { changelogPage } from "./prepare/changelog.mjs";
import { checklistPage } from "./prepare/checklist.mjs";
import { cliPage } from "./prepare/cli.mjs";
import { documents } from "./prepare/documents.mjs";
import { errorsPage } from "./prepare/errors.mjs";
import { examplesPage } from "./prepare/examples.mjs";
import { gallery } from "./prepare/gallery.mjs";
import { growthCharts, growthPage } from "./prepare/growth.mjs";
import { matrixPage } from "./prepare/matrix.mjs";
import { memoryPage } from "./prepare/memory.mjs";
import { operatorsPage, supportPage, typesPage } from "./prepare/tables.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));

const { page, pictures } = await gallery();
const folders = {
  guide: documents(),
  generated: {
    "benchmarks.md": benchmarksPage(),
    "bundles.md": bundlesPage(),
    "changelog.md": changelogPage(),
    "checklist.md": checklistPage(),
    "cli.md": cliPage(),
    "errors.md": errorsPage(),
    "examples.md": examplesPage(),
    "gallery.md": page,
    "implementations.md": matrixPage(),
    "growth.md": growthPage(),
    "memory.md": await memoryPage(),
    "types.md": typesPage(),
    "operators.md": operatorsPage(),
    "support.md": supportPage(),
  },
  "public/gallery": pictures,
  "public/charts": { ...benchmarkCharts(), ...growthCharts() },
};

for (const [folder, pages] of Object.entries(folders)) {
  rmSync(join(HERE, folder), { recursive: true, force: true });
  for (const [name, content] of Object.entries(pages)) {
    const path = join(HERE, folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  console.log(`${folder}: ${Object.keys(pages).join(", ")}`);
}
