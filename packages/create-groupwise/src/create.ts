/** Copies a template to a new folder. */

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { errorOf, oneOf, requireArguments, TEXT } from "@groupwise/core/target";
import { TEMPLATE_NAMES, type TemplateName } from "./templates.ts";
import { VERSION } from "./version.ts";

/** A project that was made. */
export interface Created {
  /** Its folder, as an absolute path. */
  readonly folder: string;
  /** The name of its package. */
  readonly name: string;
  /** Its files, relative to the folder, in order. */
  readonly files: readonly string[];
}

const TEMPLATES = fileURLToPath(new URL("../templates/", import.meta.url));

/** npm omits `.gitignore` from packages, so templates have it without the dot. */
const IGNORED = "gitignore";

/** A valid package name, from the name of a folder. @throws GroupwiseError `bad-usage` */
function packageName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .replace(/^-+|-+$/g, "");
  if (name !== "" && name.length <= 214) return name;
  const reason = `no package name can be made from the folder ${JSON.stringify(basename(folder))}`;
  throw errorOf("bad-usage", { reason, hint: "name a folder with ASCII letters or digits" }, folder);
}

/** @throws GroupwiseError `bad-file` */
function checkEmpty(folder: string, given: string): void {
  if (!existsSync(folder)) return;
  const entries = statSync(folder).isDirectory() ? readdirSync(folder).filter((name) => name !== ".git") : [];
  if (statSync(folder).isDirectory() && entries.length === 0) return;
  const reason = entries.length > 0 ? "the folder is not empty" : "a file of that name exists";
  throw errorOf("bad-file", { path: given, reason, hint: "name a new or an empty folder" }, given);
}

/** Sets the name of the project's package, and the version of groupwise that it depends on. */
function describePackage(folder: string, name: string): void {
  const path = join(folder, "package.json");
  const own = JSON.parse(readFileSync(path, "utf8")) as Record<string, Record<string, string>>;
  for (const kind of ["dependencies", "devDependencies", "peerDependencies"])
    for (const one of Object.keys(own[kind] ?? {}))
      if (one.startsWith("@groupwise/")) (own[kind] as Record<string, string>)[one] = `^${VERSION}`;
  writeFileSync(path, `${JSON.stringify({ ...own, name }, null, 2)}\n`);
}

const TEMPLATE = oneOf(...TEMPLATE_NAMES);

/**
 * Makes a project in a folder that does not exist or is empty. Nothing is installed.
 * @param given the folder, relative to `cwd`
 * @throws GroupwiseError `bad-file` if the folder has files, `bad-usage` if no package name can be made from its name
 */
export function create(template: TemplateName, given: string, cwd: string): Created {
  requireArguments(arguments, "create", { template: TEMPLATE, folder: TEXT, cwd: TEXT });
  const folder = resolve(cwd, given);
  const name = packageName(folder);
  checkEmpty(folder, given);
  mkdirSync(folder, { recursive: true });
  cpSync(join(TEMPLATES, template), folder, { recursive: true });
  renameSync(join(folder, IGNORED), join(folder, `.${IGNORED}`));
  describePackage(folder, name);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(folder, path)).isFile() && !path.startsWith(".git/"))
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
  return { folder, name, files };
}
