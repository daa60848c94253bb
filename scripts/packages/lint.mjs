/** Findings of publint and Are The Types Wrong in the packed packages. */
import { readFileSync } from "node:fs";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/**
 * The profile: packages are modules (ESM) for Node 20.19 and newer, which `require`s them too, and for bundlers. Not covered: `node10`,
 * which does not read `exports`; the note that `require` gets a module.
 */
const IGNORED_RESOLUTIONS = ["node10"];
const IGNORED_PROBLEMS = ["CJSResolvesToESM"];

/** The templates of create-groupwise are copied, not imported: their `exports` take effect in the new project. */
const ignored = ({ code, path = [], args = {} }) =>
  code === "NESTED_PACKAGE_JSON_FIELD_IGNORED" && JSON.stringify([path, args]).includes("templates/");

/** @returns a line for each finding */
export async function findingsOf({ name, tarball }) {
  const data = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: data.buffer }, strict: true });
  const texts = messages.filter((message) => !ignored(message)).map((message) => formatMessage(message, pkg));
  const { types, problems = [] } = await checkPackage(createPackageFromTarballData(data));
  const wrong = problems.filter(
    ({ kind, resolutionKind }) =>
      !IGNORED_PROBLEMS.includes(kind) && !IGNORED_RESOLUTIONS.includes(resolutionKind),
  );
  return [
    ...(types ? [] : ["it has no types"]),
    ...texts,
    ...wrong.map(
      ({ kind, entrypoint = "", resolutionKind = "" }) => `${kind} ${entrypoint} ${resolutionKind}`,
    ),
  ].map((text) => `${name}: ${text}`);
}
