/** The packages that users install with the published ones: a CycloneDX document, and the licences. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { done, tarballs } from "@groupwise/testkit/packed";
import { publishedPackages } from "./published.mjs";

/** Licences that require only a notice. */
const ACCEPTED = ["MIT", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "BlueOak-1.0.0"];

/**
 * Resolves the packed packages in an empty folder, as an installation does; optional peers are chosen by users and not included.
 * @returns the document
 */
export async function billOfMaterials(folder) {
  const empty = join(folder, "resolved");
  mkdirSync(empty);
  const { version } = publishedPackages()[0].manifest;
  const dependencies = Object.fromEntries(
    [...(await tarballs())].map(([name, tarball]) => [name, `file:${tarball}`]),
  );
  writeFileSync(
    join(empty, "package.json"),
    JSON.stringify({ name: "groupwise-packages", version, dependencies }),
  );
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await done("npm", ["install", "--package-lock-only", ...quiet], { cwd: empty });
  const format = ["--package-lock-only", "--sbom-format", "cyclonedx", "--omit", "dev", "--omit", "peer"];
  return portable(JSON.parse(await done("npm", ["sbom", ...format], { cwd: empty })));
}

/** Removes the paths at which the packages of this project were packed; their component is that of the registry. */
const portable = (document) => ({
  ...document,
  components: document.components.map(({ externalReferences = [], ...component }) => ({
    ...component,
    externalReferences: externalReferences.filter(({ url }) => !url.startsWith("file:")),
  })),
});

const licenceOf = ({ licenses = [] }) =>
  licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name).join(" AND ");

/** @returns each component with its licence */
export const licencesOf = ({ components }) =>
  components
    .map((component) => ({
      name: component.name,
      version: component.version,
      licence: licenceOf(component) || "unknown",
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/** @returns the components whose licence is not among those that are accepted */
export const refusedLicences = (document) =>
  licencesOf(document).filter(({ licence }) => !ACCEPTED.includes(licence));

/** Writes both as text and as JSON. @returns the paths */
export function writeBill(document, folder) {
  mkdirSync(folder, { recursive: true });
  const rows = licencesOf(document).map(
    ({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`,
  );
  const files = {
    "sbom.cdx.json": `${JSON.stringify(document, null, 2)}\n`,
    "licences.md": `| package | version | licence |\n| --- | --- | --- |\n${rows.join("\n")}\n`,
  };
  return Object.entries(files).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
}
