/** What users read has none of the words that the vocabulary lists as not used: emitted files, and prose in the sources of packages. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { checkedIn } from "../src/goldens.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** Packages whose texts only the project reads. */
const INTERNAL = new Set(["bench", "testkit"]);

/** The first column of the page's table of words that are not used. */
function unusedWords(): readonly string[] {
  const page = readFileSync(join(ROOT, "apps/docs/vocabulary.md"), "utf8");
  const section = page.split("\n## ").find((part) => part.startsWith("Words that are not used")) ?? "";
  const rows = [...section.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell]) => cell as string).slice(2);
  return rows.flatMap((cell) => cell.split(", "));
}

const words = unusedWords();
/** Parts of names that are joined by underscores are words too. */
const unused = new RegExp(`(?<![a-z])(?:${words.join("|").replaceAll(" ", "[ _]")})(?![a-z])`, "gi");

/** The texts of a source that are prose: of literals and templates with at least two words. */
function proseOf(source: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) ? node.text : "";
    if (/\w \w/.test(text)) found.push(text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest));
  return found;
}

const sources = readdirSync(join(ROOT, "packages"))
  .filter((name) => !INTERNAL.has(name))
  .flatMap((name) =>
    readdirSync(join(ROOT, "packages", name), { recursive: true, encoding: "utf8" })
      .filter((file) => /^src[\\/].*\.ts$/.test(file))
      .map((file) => join(ROOT, "packages", name, file)),
  );

const foundIn = (name: string, text: string): string[] =>
  [...text.matchAll(unused)].map(
    ({ 0: word, index }) => `${name}: ${word}: …${text.slice(Math.max(0, index - 40), index + 40)}…`,
  );

describe("words that the vocabulary does not use", () => {
  it("are listed on its page, and found in text and in names", () => {
    expect(words).toContain("spine");
    expect(foundIn("", "spine_2 of the Way up, inspine, spines").length).toBe(2);
    const source = `walk("the spine", 'spine'); // who tells\nfail(\`of \${n} told to \${stand}\`);`;
    expect(proseOf(source)).toEqual(["the spine", " told to "]);
  });

  it("do not occur in emitted files", () => {
    const files = [...checkedIn()];
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap(([name, text]) => foundIn(name, text))).toEqual([]);
  });

  it("do not occur in errors, help and comments that the packages print", () => {
    expect(sources.length).toBeGreaterThan(300);
    const found = sources.flatMap((file) => {
      const source = readFileSync(file, "utf8");
      const name = file.slice(ROOT.length);
      // Most files have none even in their code.
      return foundIn(name, source).length > 0 ? proseOf(source).flatMap((text) => foundIn(name, text)) : [];
    });
    expect(found).toEqual([]);
  });

  it("are not terms: each term has one row", () => {
    const page =
      readFileSync(join(ROOT, "apps/docs/vocabulary.md"), "utf8").split("\n## Words that")[0] ?? "";
    const terms = [...page.matchAll(/^\| ([^|]+) \|/gm)]
      .flatMap(([, cell]) => (cell as string).split(", "))
      .filter((term) => term !== "term" && !term.startsWith("---"));
    expect(terms.filter((term, i) => terms.indexOf(term) !== i)).toEqual([]);
    expect(terms.filter((term) => words.includes(term))).toEqual([]);
  });
});
