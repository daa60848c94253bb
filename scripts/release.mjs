// The checks of a release besides tests: `npm run release:check -- [FOLDER]`. It checks the packed
// packages and
// their API reports, writes the SBOM and the licences to FOLDER (out/release), and tries `npm publish --dry-run`. It publishes nothing.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { done, tarballs } from "@groupwise/testkit/packed";
import { apiProblems } from "./packages/api.mjs";
import { findingsOf } from "./packages/lint.mjs";
import { publishedPackages, ROOT } from "./packages/published.mjs";
import { billOfMaterials, refusedLicences, writeBill } from "./packages/sbom.mjs";

/** @returns a line for each problem: none if the packages can be released */
export async function releaseProblems({ out, say = console.log }) {
  const folder = mkdtempSync(join(tmpdir(), "groupwise-release-"));
  try {
    const packed = await tarballs();
    const findings = [];
    for (const [name, tarball] of packed) findings.push(...(await findingsOf({ name, tarball })));
    say(`${packed.size} packages: ${findings.length} findings of publint and attw`);
    const { stale, unexported } = apiProblems();
    say(`${stale.length} API reports are not current`);
    const bill = await billOfMaterials(folder);
    for (const path of writeBill(bill, out)) say(`wrote ${path}`);
    await dryRun();
    say("npm publish --dry-run accepts them");
    return [
      ...findings,
      ...stale.map((file) => `${file}: not current; run npm run api`),
      ...unexported.map((name) => `no entry of core exports ${name}`),
      ...refusedLicences(bill).map(({ name, licence }) => `${name}: its licence is ${licence}`),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function dryRun() {
  const workspaces = publishedPackages().flatMap(({ manifest }) => ["-w", manifest.name]);
  await done("npm", ["publish", "--dry-run", "--loglevel=error", "--provenance=false", ...workspaces], {
    cwd: ROOT,
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = await releaseProblems({ out: resolve(process.argv[2] ?? join(ROOT, "out/release")) });
  for (const text of problems) console.error(text);
  if (problems.length > 0) process.exitCode = 1;
}
