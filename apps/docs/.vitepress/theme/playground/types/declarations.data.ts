/** Collected when the site is built, and loaded with the language service. */
import { declarations } from "./declarations.ts";

export declare const data: Readonly<Record<string, string>>;

export default { load: declarations };
