declare module "*.vue" {
  import type { DefineComponent } from "vue";

  const component: DefineComponent;
  export default component;
}

// Prism's parts have no declarations of their own.
declare module "prismjs/components/*";
