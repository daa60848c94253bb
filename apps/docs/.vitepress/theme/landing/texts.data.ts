/** Emitted when the site is built, so that the first page loads no compiler before a run. */
import type { Language } from "../engine/messages.ts";
import { demoTexts } from "./texts.ts";

export declare const data: Readonly<Record<Language, string>>;

export default { load: demoTexts };
