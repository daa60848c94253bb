// The repository's own documents. Links between them keep working; links to files that are not on the
// site become plain text.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const TOP = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];
const IMAGES = /\.(png|svg|gif|jpe?g)$/;

/** By path from the root: texts, and images as they are. */
export function documents() {
  const docs = join(ROOT, "docs");
  const inDocs = existsSync(docs) ? readdirSync(docs, { recursive: true }) : [];
  const names = [
    ...TOP.filter((name) => existsSync(join(ROOT, name))),
    ...inDocs.filter((name) => name.endsWith(".md") || IMAGES.test(name)).map((name) => join("docs", name)),
  ];
  const known = new Set(names);
  return Object.fromEntries(
    names.map((name) => {
      const content = readFileSync(join(ROOT, name));
      return [name, IMAGES.test(name) ? content : withKnownLinks(content.toString("utf8"), name, known)];
    }),
  );
}

function withKnownLinks(text, name, known) {
  return text.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (link, image, label, target) => {
    if (/^(https?:|mailto:|#)/.test(target)) return link;
    const file = relative(ROOT, resolve(ROOT, dirname(name), target.replace(/#.*$/, "")));
    return known.has(file) ? link : image ? "" : label;
  });
}
