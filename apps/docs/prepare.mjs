// Copies the repository's own documents into guide/, so that the site and the repository read the same text.
// Links between the copied documents keep working; links to other files of the repository become plain text.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, "../..");
const GUIDE = join(HERE, "guide");
const IMAGES = /\.(png|svg|gif|jpe?g)$/;

const inDocs = existsSync(join(ROOT, "docs")) ? readdirSync(join(ROOT, "docs"), { recursive: true }) : [];
const copied = [
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].filter((name) => existsSync(join(ROOT, name))),
  ...inDocs.filter((name) => name.endsWith(".md") || IMAGES.test(name)).map((name) => join("docs", name)),
];
const isCopied = new Set(copied);

rmSync(GUIDE, { recursive: true, force: true });
for (const name of copied) {
  mkdirSync(dirname(join(GUIDE, name)), { recursive: true });
  if (IMAGES.test(name)) cpSync(join(ROOT, name), join(GUIDE, name));
  else writeFileSync(join(GUIDE, name), withKnownLinks(readFileSync(join(ROOT, name), "utf8"), name));
}
console.log(`guide: ${copied.join(", ") || "no documents yet"}`);

function withKnownLinks(text, name) {
  return text.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (link, image, label, target) => {
    if (/^(https?:|mailto:|#)/.test(target)) return link;
    const file = relative(ROOT, resolve(ROOT, dirname(name), target.replace(/#.*$/, "")));
    return isCopied.has(file) ? link : image ? "" : label;
  });
}
