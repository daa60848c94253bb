/** Parts of the site's build: lists for language models, search, links to the repository. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { drawFigures } from "../.vitepress/figures.ts";
import { bodyOf, descriptionOf, fileOf, fullOf, listOf } from "../.vitepress/llms.ts";
import { linksOf, sourceOf } from "../.vitepress/repository.ts";
import { boostDocument, SEARCH } from "../.vitepress/search.ts";
import { page, SECTIONS } from "../.vitepress/sections.ts";
import { benchmarkCharts, benchmarksPage, newestRows } from "../prepare/benchmarks.mjs";
import { changeOf } from "../prepare/changelog.mjs";
import { matrixOf } from "../prepare/matrix.mjs";

const read = (file: string): string | undefined => {
  try {
    return readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
  } catch {
    return undefined; // it is printed when the site is built
  }
};

describe("llms.txt", () => {
  const list = listOf([...SECTIONS, { text: "Optional", items: [page("Changes", "/changelog")] }], read);

  test("lists every page of the handbook, written ones with their first sentence", () => {
    expect(list).toMatch(/^# groupwise\n\n> Scans, /);
    for (const { items } of SECTIONS) for (const one of items) expect(list).toContain(`- [${one.text}](/`);
    expect(list).toContain(
      "- [Segments](/tutorials/segments.md): Many tables consist of groups: the orders of each customer",
    );
    expect(list).toContain("- [Errors](/errors)\n");
  });

  test("every written page is in the handbook", () => {
    const pages = ["", "targets/", "tutorials/"].flatMap((folder) =>
      readdirSync(new URL(`../${folder}`, import.meta.url))
        .filter((name) => name.endsWith(".md"))
        .map((name) => `${folder}${name}`),
    );
    const known = SECTIONS.flatMap(({ items }) => items.map(fileOf));
    expect(pages.filter((name) => !known.includes(name)).sort()).toEqual(["index.md", "playground.md"]);
  });

  test("llms-full.txt has the pages themselves, and not the optional ones", () => {
    const sections = [
      { text: "Guide", items: [page("A", "/a"), page("B", "/b/"), page("None", "/none")] },
      { text: "Optional", items: [page("C", "/c")] },
    ];
    const texts: Readonly<Record<string, string>> = {
      "a.md": "---\ntitle: x\n---\n# A\ntext\n",
      "b/index.md": "# B",
      "c.md": "# C",
    };
    const full = fullOf(sections, (file) => texts[file]);
    expect(full).toMatch(/<!-- \/a\.md -->\n\n# A\ntext\n\n<!-- \/b\/index\.md -->\n\n# B\n$/);
  });

  test("descriptions are plain sentences", () => {
    expect(descriptionOf("# T\n\nOne [link](./x.md) of\ntwo lines. More.\n")).toBe("One link of two lines.");
    expect(descriptionOf("# T\n\nWith `1.5` in it: a list.")).toBe("With `1.5` in it: a list.");
    expect(descriptionOf("# T\n\n| a | table |\n\n```ts\nA b.\n```\n\n## H\n\nText. x")).toBe("Text.");
    expect(descriptionOf("# T\n\n| a | table |")).toBe("");
    expect(bodyOf("---\na: 1\n---\n\ntext\n")).toBe("text");
  });
});

test.each([
  ["/reference/a#b", "jsruntime", "Function: jsRuntime()", ["Function: jsRuntime()"], 20],
  ["/reference/a#b", "waitfor", "WaitFor\\<P\\>", ["index", "Type Aliases"], 4],
  ["/reference/a#b", "runtime", "Runtime", ["index", "Type Aliases"], 0.75],
  ["/reference/@groupwise/core/state/a#b", "looksback", "Interface: LooksBack", [], 1.6],
  ["/reference/a#b", "scaninclusive", "scanInclusive()", ["Methods"], 5],
  ["/reference/a#b", "onename", "oneName", ["Properties"], 0.15],
  ["/reference/a#b", "waitfo", "WaitFor", ["Type Aliases"], 0.5],
  ["/guide/docs/decisions/a#b", "runtime", "Runtime", ["Title"], 0.3],
  ["/libraries#b", "runtime", "Function: runtime()", [], 2],
])("of %s, search for %s finds %s with %s times %d", (id, term, title, titles, boost) => {
  expect(boostDocument(id, term, { title, titles })).toBe(boost);
});

test("functions of the search are complete in themselves: the site carries them as text", () => {
  const { boostDocument, boostTerm, fuzzy, processTerm, tokenize } = Object.fromEntries(
    Object.entries(SEARCH).map(([name, value]) => [
      name,
      typeof value === "function" ? new Function(`return ${value}`)() : value,
    ]),
  ) as typeof SEARCH;
  const words = "scatter conflict by key scatterconflictbykey";
  expect(tokenize("scatter-conflict by key").join(" ")).toBe(words);
  expect(tokenize(" sort ")).toEqual(["sort"]);
  expect(processTerm("the")).toEqual([]);
  expect(processTerm("Keys")).toEqual(["keys", "keyss", "keysing", "key"]);
  expect(processTerm("scan")).toContain("scaninclusive");
  expect([fuzzy("sort"), fuzzy("scatter")]).toEqual([false, 0.2]);
  const terms = ["top", "keys", "scaninclusive", "topkeys"];
  expect(terms.map((term, i) => boostTerm(term, i, terms))).toEqual([1, 1, 0.2, 0.1]);
  expect(boostDocument("/libraries#b", "runtime", {})).toBe(2);
});

describe("links to the repository", () => {
  test.each(["github:a/b", "https://github.com/a/b", { type: "git", url: "git+https://github.com/a/b.git" }])(
    "%s",
    (repository) => {
      expect(linksOf(repository)).toEqual({
        socialLinks: [{ icon: "github", link: "https://github.com/a/b" }],
        editLink: { pattern: "https://github.com/a/b/edit/main/:path", text: "Edit this page" },
      });
    },
  );

  test("are absent if no repository is named", () => {
    for (const one of [undefined, null, "", "javascript:alert(1)", { url: "https://github.com/a/b?x" }])
      expect(linksOf(one)).toEqual({});
  });

  test("lead to the source file of a page", () => {
    const pages = ["start.md", "guide/docs/decisions/a.md", "generated/errors.md", "reference/x.md"];
    const sources = ["apps/docs/start.md", "docs/decisions/a.md", undefined, undefined];
    expect(pages.map(sourceOf)).toEqual(sources);
  });
});

test("changesets are read with their packages", () => {
  expect(changeOf('---\n"a": minor\n"@b/c": patch\n---\n\nText.\n')).toEqual({
    packages: ["a", "@b/c"],
    body: "Text.",
  });
  expect(() => changeOf("text")).toThrow("not a changeset");
});

test("benchmarks have each job and size once for a target, by the newest report beside a peer", () => {
  const report = (day: number, jobs: readonly string[], target = "wgsl", peers: object[] = [{}]) => ({
    surroundings: { date: `2026-01-0${day} 09:00:00` },
    device: { target },
    rows: jobs.map((primitive) => ({ primitive, n: 8 })),
    peers,
  });
  const [old, newer, alone, other] = [
    report(1, ["scan", "sort"]),
    report(2, ["scan"]),
    report(3, ["scan"], "wgsl", []),
    report(4, ["scan"], "opencl"),
  ];
  const { peers: _, ...unpaired } = report(5, ["scan"]);
  const row = (primitive: string, report: unknown) => ({ primitive, n: 8, report });
  expect(newestRows([old, newer, alone, unpaired, other])).toEqual([
    { target: "wgsl", rows: [row("scan", newer), row("sort", old)] },
    { target: "opencl", rows: [row("scan", other)] },
  ]);
});

test("the page of benchmarks has a section for each target, and ours beside the peer in each pair of bars", () => {
  const lines = benchmarksPage().split("\n");
  const heads = lines.filter((line) => / beside CUB$/.test(line));
  expect(heads).toEqual(["## WGSL beside CUB", "## OpenCL C beside CUB"]);
  // A time and a ratio for each size.
  const row = lines.find((line) => line.startsWith("| scan add f32 |"));
  expect(row).toMatch(/^\| scan add f32 (\| \d\.\d+ \| \d\.\d\d(\u00a0~)? )+\|/);
  for (const chart of Object.values(benchmarkCharts())) {
    expect(chart).toMatch(/^<svg xmlns/);
    const texts = [...chart.matchAll(/>(groupwise|CUB) [\d,]+</g)].map(([, who]) => who);
    expect(texts.length).toBeGreaterThan(30);
    expect(texts.filter((who) => who === "CUB").length * 2).toBe(texts.length);
  }
});

test("the page of implementations has a row for each, with its failures and what is not installed", () => {
  const counts = { passed: 3, failed: 1, refused: 0, left: 2, ended: 5, seconds: 1 };
  const part = { ...counts, failures: ["sums: `1`"], reasons: {} };
  const page = matrixOf({
    surroundings: { cpu: "a CPU", cores: 2, platform: "linux x64" } as never,
    rows: [
      {
        ...{ name: "one", group: "OpenCL", device: "cpu", driver: "3.1", date: "2026-01-01", commit: "c" },
        ...{
          effort: "quick",
          cpu: "another CPU",
          opening: { cold: { ms: 3.4, processorMs: 123 }, kept: { ms: 1.23 } },
        },
        ...{ seconds: 1, switchedOn: ["with x"] },
        parts: {
          suite: part,
          "compile times": {
            ...part,
            failures: [],
            times: { bins: { ms: 900, processorMs: 4.21 }, "1 call": { ms: 2345 } },
          },
        },
      },
      { name: "two", group: "OpenCL", reason: "there is no root", install: "run: it" },
    ],
  });
  const lines = page.split("\n");
  expect(lines).toContain(
    "| one | 3.1 | 3 passed, 1 failed, 2 not run, 5 ended processes, quick |  |  |  | 120, 1.2 (clock) | with x | 2026-01-01 |",
  );
  expect(page).toContain(
    "| bins | 1 call | processor of the times |\n| --- | --- | --- | --- |\n| one | 0.0042 | 2.3 (clock) | another CPU |",
  );
  expect(lines).toContain("- one, suite, failed: `sums: '1'`");
  expect(lines).toContain("- two: there is no root; run: it");
});

test("fenced blocks become drawings", () => {
  const rules: { fence?: unknown } = { fence: () => "code" };
  drawFigures({ renderer: { rules } } as unknown as Parameters<typeof drawFigures>[0]);
  const render = (info: string, content: string): string =>
    (rules.fence as (tokens: object[], index: number) => string)([{ info, content }], 0);
  expect(render("ts", "x")).toBe("code");
  expect(render("constructor", "x")).toBe("code");
  expect(render("figure", "sums\n")).toBe('<gw-figure name="sums"></gw-figure>\n');
  expect(() => render("figure", "none")).toThrow("no figure");
});
