import { defineConfig } from "vitepress";
import { drawFigures } from "./figures.ts";
import { writeLlms } from "./llms.ts";
import { repositoryLinks, sourceOf } from "./repository.ts";
import { SEARCH } from "./search.ts";
import { page } from "./sections.ts";
import { listed, sidebar } from "./sidebar.ts";

export default defineConfig({
  title: "groupwise",
  description: "Work-group collectives declared once, run on WebGPU, OpenCL, C and JavaScript",
  cleanUrls: true,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: "/logo.svg" }]],
  // The address that errors carry is /errors, wherever the page is made.
  rewrites: { "generated/:page": ":page" },
  markdown: {
    html: false, // doc comments say `<op>` and mean it
    image: { lazyLoading: true },
    config: drawFigures,
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  // What all pages share, such as the sidebars, is one file instead of a part of each page.
  metaChunk: true,
  router: { prefetchLinks: false },
  vite: { worker: { format: "es" } }, // workers load their parts when they need them

  transformPageData(data) {
    const source = sourceOf(data.filePath);
    return source === undefined
      ? { frontmatter: { ...data.frontmatter, editLink: false } }
      : { filePath: source };
  },
  buildEnd: (site) => writeLlms(site, listed),

  themeConfig: {
    logo: "/logo.svg",
    nav: [
      page("Guide", "/start"),
      page("Tutorials", "/tutorials/"),
      page("Gallery", "/gallery"),
      page("Playground", "/playground"),
      page("Targets", "/targets/"),
      page("Reference", "/reference/"),
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: {
      provider: "local",
      options: { miniSearch: { searchOptions: SEARCH } },
    },
    ...repositoryLinks(),
  },
});
