/** A step of the build: writes the texts of help beside the built `saved.js`, which prints them. */
import { writeFileSync } from "node:fs";
import { helpTexts } from "./texts.ts";

writeFileSync(new URL("./texts.json", import.meta.url), JSON.stringify(await helpTexts()));
