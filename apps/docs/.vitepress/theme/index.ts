/** The default theme in the system's fonts, with a demonstration on the first page and the playground as a layout. */
import { defineClientComponent, type Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { defineAsyncComponent, h } from "vue";
import "./style.css";
import "./code.css";

// Loaded by the pages that show them.
const LandingDemo = defineAsyncComponent(() => import("./landing/landing-demo.vue"));
const GwFigure = defineAsyncComponent(() => import("./figures/gw-figure.vue"));
// The playground is made in the browser only: its text depends on the link.
const Playground = defineClientComponent(() => import("./playground/playground-page.vue"));

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "home-hero-before": () => h(LandingDemo) }),
  enhanceApp({ app }) {
    app.component("playground", Playground);
    app.component("gw-figure", GwFigure);
  },
};

export default theme;
