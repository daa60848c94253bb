/**
 * Makes projects that use groupwise; `npm create groupwise` runs this package.
 * @module
 */
export { type Created, create } from "./create.ts";
export { main } from "./main.ts";
export { TEMPLATE_NAMES, type TemplateName } from "./templates.ts";
