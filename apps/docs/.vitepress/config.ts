import { existsSync, readdirSync } from "node:fs";
import { defineConfig } from "vitepress";
import reference from "../reference/typedoc-sidebar.json" with { type: "json" };

const page = (text: string, link: string) => ({ text, link });
const DECISIONS = new URL("../guide/docs/decisions/", import.meta.url);

const project = ["README", "ARCHITECTURE", "CONTRIBUTING"]
  .filter((name) => existsSync(new URL(`../guide/${name}.md`, import.meta.url)))
  .map((name) => page(name === "README" ? "Read me" : capitalised(name.toLowerCase()), `/guide/${name}`));

const decisions = (existsSync(DECISIONS) ? readdirSync(DECISIONS) : [])
  .filter((name) => name.endsWith(".md"))
  .map((name) => name.slice(0, -".md".length))
  .map((name) => page(capitalised(name.replaceAll("-", " ")), `/guide/docs/decisions/${name}`));

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

type Item = ReturnType<typeof page> & { items?: Item[] };

const packages = reference.map(({ text, link }) => page(text, link));
const handbook = [
  {
    text: "Tutorials",
    items: [
      page("Overview", "/tutorials/"),
      page("First scan", "/tutorials/first-scan"),
      page("Compaction", "/tutorials/compaction"),
      page("Segments", "/tutorials/segments"),
      page("An operator of your own", "/tutorials/own-operator"),
      page("OpenCL C in a CMake project", "/tutorials/cmake"),
      page("WebGPU in a Vite app", "/tutorials/vite"),
      page("One pipeline everywhere", "/tutorials/everywhere"),
    ],
  },
  {
    text: "Guide",
    items: [
      page("Start", "/start"),
      page("Projects from templates", "/templates"),
      page("Concepts", "/concepts"),
      page("Coming from another library", "/coming-from"),
      page("Types and mistakes", "/typed-results"),
      page("User-defined operators", "/your-operators"),
      page("Laws of operators", "/laws"),
      page("Arrays of other lengths", "/arrays"),
      page("Command line", "/cli"),
      page("Native toolchains", "/native"),
      page("Lengths and limits", "/limits"),
      page("Runtime for library authors", "/libraries"),
      page("States: chunks, streams, parts", "/states"),
      page("MPI", "/mpi"),
      page("Primitives", "/primitives"),
      page("Examples", "/examples"),
    ],
  },
  {
    text: "Targets",
    items: [
      page("Overview", "/targets/"),
      page("WGSL", "/targets/wgsl"),
      page("OpenCL C", "/targets/opencl"),
      page("JavaScript", "/targets/javascript"),
      page("C", "/targets/c"),
      page("gpu.js", "/targets/gpu-js"),
      page("Support matrix", "/support"),
    ],
  },
  {
    text: "Tables",
    items: [
      page("Element types", "/types"),
      page("Operators", "/operators"),
      page("Checklist", "/checklist"),
      page("Compared with others", "/peers"),
      page("Vocabulary", "/vocabulary"),
      page("Errors", "/errors"),
    ],
  },
  { text: "Reference", items: packages },
  {
    text: "Project",
    items: [...project, ...decisions.slice(0, 1).map(({ link }) => page("Decisions", link))],
  },
];

// Sidebars are part of what every page loads. Symbols stand on the page of their entry, so the sidebar names only entries.
const entriesOf = ({ text, link, items = [] }: Item) => ({
  ...page(text, link),
  items: items.filter((item) => item.link).map((item) => page(item.text, item.link)),
});

const sidebar = {
  "/": handbook,
  "/guide/docs/decisions/": [
    { text: "Decisions", items: decisions },
    { text: "Project", items: project },
  ],
  "/reference/": [{ text: "Packages", items: (reference as Item[]).map(entriesOf) }],
};

export default defineConfig({
  title: "groupwise",
  description: "Work-group collectives declared once, run on WebGPU, OpenCL and JavaScript",
  cleanUrls: true,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: "/logo.svg" }]],
  // The address that errors carry is /errors, wherever the page is made.
  rewrites: { "generated/:page": ":page" },
  markdown: {
    html: false, // doc comments say `<op>` and mean it
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  // What all pages share, such as the sidebars, is one file instead of a part of each page.
  metaChunk: true,
  router: { prefetchLinks: false },
  vite: { worker: { format: "es" } }, // workers load their parts when they need them

  themeConfig: {
    logo: "/logo.svg",
    nav: [
      page("Guide", "/start"),
      page("Tutorials", "/tutorials/"),
      page("Playground", "/playground"),
      page("Targets", "/targets/"),
      page("Reference", "/reference/"),
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: "local" },
  },
});
