/** `llms.txt` (llmstxt.org) and `llms-full.txt`, from the pages of the site; and the pages themselves as Markdown. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SiteConfig } from "vitepress";
import type { Page, Section } from "./sections.ts";

export const SUMMARY =
  "Scans, reductions and broadcasts over work-groups and whole arrays, declared once in TypeScript and emitted as WGSL, OpenCL C, CUDA, C " +
  "and JavaScript. Results are equal bit for bit on every target, floats included.";

/** The text of a page without what only the site reads. */
export const bodyOf = (text: string): string => text.replace(/^---\n[\s\S]*?\n---\n/, "").trim();

/** The first sentence of the page's text, as plain text; empty where it has none. */
export function descriptionOf(text: string): string {
  const prose = bodyOf(text).replace(/^```[\s\S]*?^```$/gm, "");
  const first = prose.split(/\n\s*\n/).find((block) => /^[A-Za-z`"[]/.test(block.trim())) ?? "";
  const plain = first
    .trim()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\s+/g, " ");
  return /^.*?\.(?= |$)/.exec(plain)?.[0] ?? "";
}

/** The file of a link: `/tutorials/` is `/tutorials/index.md`. */
export const fileOf = ({ link }: Page): string =>
  `${link.replace(/\.md$/, "").replace(/\/$/, "/index").replace(/^\//, "")}.md`;

/** `llms.txt`. @param textOf the text of a page of the site, undefined for a page that is not copied */
export function listOf(sections: readonly Section[], textOf: (file: string) => string | undefined): string {
  const line = (page: Page): string => {
    const text = textOf(fileOf(page));
    const about = text === undefined ? "" : descriptionOf(text);
    return `- [${page.text}](/${text === undefined ? page.link.replace(/^\//, "") : fileOf(page)})${about && `: ${about}`}`;
  };
  const parts = sections.map(({ text, items }) => `## ${text}\n\n${items.map(line).join("\n")}`);
  return `${["# groupwise", `> ${SUMMARY}`, ...parts].join("\n\n")}\n`;
}

/** `llms-full.txt`: every page of the sections that are not optional, each after its address. */
export function fullOf(sections: readonly Section[], textOf: (file: string) => string | undefined): string {
  const pages = sections
    .filter(({ text }) => text !== "Optional")
    .flatMap(({ items }) => items)
    .flatMap((page) => {
      const text = textOf(fileOf(page));
      return text === undefined ? [] : [`<!-- /${fileOf(page)} -->\n\n${bodyOf(text)}`];
    });
  return `${[`# groupwise\n\n> ${SUMMARY}`, ...pages].join("\n\n")}\n`;
}

/** Writes both beside the built site, and each page but those of the reference as Markdown. */
export function writeLlms(
  { pages, rewrites, srcDir, outDir }: SiteConfig,
  sections: readonly Section[],
): void {
  const texts = new Map(
    pages
      .filter((path) => !path.startsWith("reference/"))
      .map((path) => [rewrites.map[path] ?? path, readFileSync(join(srcDir, path), "utf8")] as const)
      .filter(([, text]) => !/^---\nlayout:/.test(text)),
  );
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(outDir, path)), { recursive: true });
    writeFileSync(join(outDir, path), `${bodyOf(text)}\n`);
  }
  const textOf = (file: string): string | undefined => texts.get(file);
  writeFileSync(join(outDir, "llms.txt"), listOf(sections, textOf));
  writeFileSync(join(outDir, "llms-full.txt"), fullOf(sections, textOf));
}
