/** Search on the built index, by the site's own library and options: the page that a user wants comes first. */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { SEARCH } from "../.vitepress/search.ts";
import { QUERIES } from "./queries.ts";
import { DIST } from "./server.ts";

interface Index {
  search(query: string): readonly { readonly id: string }[];
}
interface MiniSearch {
  loadJSON(json: string, options: object): Index;
}

/** What VitePress's search box passes. */
const BOX = {
  fields: ["title", "titles", "text"],
  storeFields: ["title", "titles"],
  searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
};

/** As the site carries them: functions as texts. */
const carried = (options: object): object =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      typeof value === "function" ? new Function(`return ${value}`)() : value,
    ]),
  );

let index: Index;
beforeAll(async () => {
  const chunks = join(DIST, "assets/chunks");
  const file = readdirSync(chunks).find((name) => name.startsWith("@localSearchIndexroot."));
  const { default: json } = await import(pathToFileURL(join(chunks, `${file}`)).href);
  const ofVitePress = createRequire(createRequire(import.meta.url).resolve("vitepress/package.json"));
  const { default: MiniSearch } = (await import(pathToFileURL(ofVitePress.resolve("minisearch")).href)) as {
    default: MiniSearch;
  };
  index = MiniSearch.loadJSON(json, {
    ...BOX,
    searchOptions: { ...BOX.searchOptions, ...carried(SEARCH) },
  });
});

test("there are fifty queries", () => expect(QUERIES.length).toBeGreaterThanOrEqual(50));

test.each(QUERIES)("search for %s finds %s first", (query, ...pages) => {
  const first = index.search(query)[0]?.id.split("#")[0];
  expect(pages).toContain(first);
});

test.each(["scan", "prefix sum", "sort", "scanInclusive"])("search for %s lists guides and API", (query) => {
  // As many as the box shows.
  const shown = index.search(query).slice(0, 16);
  const isApi = shown.map(({ id }) => id.startsWith("/reference/"));
  expect(new Set(isApi)).toEqual(new Set([true, false]));
});
