/** The templates, each a folder in `templates/`. */
import { errorOf } from "@groupwise/core/target";

interface Template {
  readonly title: string;
  /** The command after `npm install`. */
  readonly next: readonly string[];
}

/** The name of a template. */
export type TemplateName = "vite" | "cmake" | "library";

const TEMPLATES: Readonly<Record<TemplateName, Template>> = {
  vite: { title: "a WebGPU app with Vite, which loads WGSL that its build emits", next: ["npm run dev"] },
  cmake: { title: "a program in C that runs OpenCL C, built by CMake", next: ["npm test"] },
  library: { title: "a TypeScript library that runs on every target", next: ["npm test"] },
};

/** The names of all templates. */
export const TEMPLATE_NAMES: readonly TemplateName[] = Object.keys(TEMPLATES) as TemplateName[];

export const templateOf = (name: TemplateName): Template => TEMPLATES[name];

/** One line for each template. */
export const templateList = (): string =>
  TEMPLATE_NAMES.map((name) => `  ${name.padEnd(8)} ${TEMPLATES[name].title}\n`).join("");

/** @throws GroupwiseError `bad-usage` */
export function checkedTemplate(name: string): TemplateName {
  if (Object.hasOwn(TEMPLATES, name)) return name as TemplateName;
  const reason = `there is no template ${JSON.stringify(name)}`;
  throw errorOf("bad-usage", { reason, hint: `pass --template ${TEMPLATE_NAMES.join(" or ")}` });
}
