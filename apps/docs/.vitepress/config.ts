import { existsSync, readdirSync } from "node:fs";
import { defineConfig } from "vitepress";
import reference from "../reference/typedoc-sidebar.json" with { type: "json" };

const page = (text: string, file: string) => ({ text, link: `/guide/${file}`, file });
const DECISIONS = new URL("../guide/docs/decisions/", import.meta.url);

const guide = [
  page("Start", "README"),
  page("Architecture", "ARCHITECTURE"),
  page("Contributing", "CONTRIBUTING"),
].filter(({ file }) => existsSync(new URL(`../guide/${file}.md`, import.meta.url)));

const decisions = (existsSync(DECISIONS) ? readdirSync(DECISIONS) : [])
  .filter((name) => name.endsWith(".md"))
  .map((name) => name.slice(0, -".md".length))
  .map((name) => page(name.replaceAll("-", " "), `docs/decisions/${name}`));

export default defineConfig({
  title: "groupwise",
  description: "Work-group collectives declared once, run on WebGPU, OpenCL and JavaScript",
  cleanUrls: true,
  markdown: { html: false }, // doc comments say `<op>` and mean it

  themeConfig: {
    nav: [
      { text: "Guide", link: "/guide/README" },
      { text: "Reference", link: "/reference/" },
    ],
    sidebar: [
      { text: "Guide", items: guide },
      { text: "Decisions", items: decisions },
      { text: "Reference", items: reference },
    ],
    search: { provider: "local" },
  },
});
