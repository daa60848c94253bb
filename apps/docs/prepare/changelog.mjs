// Changes: those of the next version, from .changeset/, and those of earlier versions.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { code, page } from "./markdown.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");

/** The packages and the text of a changeset. */
export function changeOf(text) {
  const [, head = "", body = ""] = /^---\n([\s\S]*?)---\n([\s\S]*)$/.exec(text) ?? [];
  const packages = [...head.matchAll(/^"([^"]+)": (\w+)$/gm)].map(([, name]) => name);
  if (packages.length === 0 || body.trim() === "") throw new Error(`not a changeset: ${text.slice(0, 80)}`);
  return { packages, body: body.trim() };
}

function upcoming() {
  const folder = join(ROOT, ".changeset");
  const names = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md");
  return names.sort().map((name) => {
    const { packages, body } = changeOf(readFileSync(join(folder, name), "utf8"));
    const title = name.replace(/\.md$/, "").replaceAll("-", " ");
    return `### ${title[0].toUpperCase()}${title.slice(1)}\n\n${body}\n\n${packages.map(code).join(", ")}`;
  });
}

/** The published packages share one version, which the log of the core lists for all; changes of one package alone are in its own file. */
function published() {
  const folder = join(ROOT, "packages");
  return ["core", ...readdirSync(folder).filter((name) => name !== "core")].flatMap((name) => {
    const file = join(folder, name, "CHANGELOG.md");
    return existsSync(file) ? [readFileSync(file, "utf8").replace(/^#/gm, "##").trim()] : [];
  });
}

export function changelogPage() {
  const next = upcoming();
  return page(
    "Changes",
    "`.changeset/` and the packages' change logs",
    ...(next.length > 0 ? ["## The next version", ...next] : []),
    ...published(),
  );
}
