/**
 * Makes projects that use groupwise: what `npm create groupwise` runs.
 * @module
 */
export { type Created, create } from "./create.ts";
export { main } from "./main.ts";
export { TEMPLATE_NAMES, type TemplateName } from "./templates.ts";
