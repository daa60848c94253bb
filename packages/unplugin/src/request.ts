/** Imports that ask for a pipeline: `./scan.ts?groupwise`, and the ids of the modules that answer them. */
import { basename } from "node:path";
import { errorOf, nearestName } from "@groupwise/core/target";

/** The targets whose texts a bundle can load, the default first. */
const TARGETS = ["wgsl", "js"] as const;
export type BundleTarget = (typeof TARGETS)[number];

export interface Request {
  /** The path as the import wrote it; in an id, that of the pipeline file. */
  readonly path: string;
  readonly target: BundleTarget;
  readonly export?: string;
  /** True: the emitted module itself, which the module that loads it imports. */
  readonly isText: boolean;
}

/** A specifier with the query `groupwise`, among others. */
export const ASKS: RegExp = /\?(?:[^#]*&)?groupwise(?:[&=#]|$)/;

/** The path without its query. */
export const withoutQuery = (path: string): string => path.replace(/\?.*$/s, "");

/** @throws GroupwiseError `bad-usage` for another target */
export function requestOf(specifier: string): Request {
  const query = new URLSearchParams(specifier.slice(specifier.indexOf("?")));
  const [target, name] = [query.get("target") ?? TARGETS[0], query.get("export")];
  const known = TARGETS.find((one) => one === target);
  if (known === undefined) {
    const near = nearestName(target, TARGETS);
    const hint = `${near === undefined ? "" : `did you mean ${near}? `}write &target= and one of: ${TARGETS.join(", ")}`;
    const reason = `no bundle loads texts of the target ${JSON.stringify(target)}`;
    throw errorOf("bad-usage", { reason, hint }, specifier);
  }
  return {
    path: withoutQuery(specifier),
    target: known,
    ...(name !== null && { export: name }),
    isText: query.has("text"),
  };
}

function queryOf({ target, export: name, isText }: Request): string {
  const chosen = name === undefined ? "" : `&export=${encodeURIComponent(name)}`;
  return `?groupwise&target=${target}${chosen}${isText ? "&text" : ""}`;
}

/** The import of the emitted module, for the module beside it that loads it. */
export const textSpecifier = (request: Request): string =>
  `./${basename(request.path)}${queryOf({ ...request, isText: true })}`;

/** Ends the path of an id: bundlers read what follows the last dot as the language. */
const LANGUAGE = ".js";

/** The id of a module. @param file the full path of the pipeline file */
export const idOf = (request: Request, file: string): string => `${file}${LANGUAGE}${queryOf(request)}`;

/** The request of an id, with the full path of its file. */
export function requestOfId(id: string): Request {
  const request = requestOf(id.replace(/^\0/, ""));
  return { ...request, path: request.path.slice(0, -LANGUAGE.length) };
}
