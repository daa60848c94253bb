/** The pages of the site in their order: for sidebars and for `llms.txt`. */
import { existsSync, readdirSync } from "node:fs";
import reference from "../reference/typedoc-sidebar.json" with { type: "json" };
import { type Page, page, SECTIONS } from "./sections.ts";

interface Item extends Page {
  readonly items?: readonly Item[];
}

const DECISIONS = new URL("../guide/docs/decisions/", import.meta.url);

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const project = ["README", "ARCHITECTURE", "CONTRIBUTING"]
  .filter((name) => existsSync(new URL(`../guide/${name}.md`, import.meta.url)))
  .map((name) => page(name === "README" ? "Read me" : capitalised(name.toLowerCase()), `/guide/${name}`));

const decisions = (existsSync(DECISIONS) ? readdirSync(DECISIONS) : [])
  .filter((name) => name.endsWith(".md"))
  .map((name) => name.slice(0, -".md".length))
  .map((name) => page(capitalised(name.replaceAll("-", " ")), `/guide/docs/decisions/${name}`));

const packages = (reference as readonly Item[]).map(({ text, link }) => page(text, link));

// Sidebars are part of what every page loads. Symbols are listed on the page of their entry, so the sidebar names only entries.
const entriesOf = ({ text, link, items = [] }: Item) => ({
  ...page(text, link),
  items: items.filter((item) => item.link).map((item) => page(item.text, item.link)),
});

export const sidebar = {
  "/": [
    ...SECTIONS,
    { text: "Reference", items: packages },
    {
      text: "Project",
      items: [
        ...project,
        page("Changes", "/changelog"),
        ...decisions.slice(0, 1).map(({ link }) => page("Decisions", link)),
      ],
    },
  ],
  "/guide/docs/decisions/": [
    { text: "Decisions", items: decisions },
    { text: "Project", items: project },
  ],
  "/reference/": [{ text: "Packages", items: (reference as readonly Item[]).map(entriesOf) }],
};

/** What `llms.txt` lists: the handbook, then optional sections. */
export const listed = [
  ...SECTIONS,
  { text: "Reference", items: packages },
  { text: "Optional", items: [...project, page("Changes", "/changelog"), ...decisions] },
];
