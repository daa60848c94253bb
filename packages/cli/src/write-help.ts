/** A step of the build: writes the texts of help that `saved/help.ts` prints. */
import { writeFileSync } from "node:fs";
import { helpTexts } from "./help-texts.ts";

writeFileSync(new URL("./saved/help.json", import.meta.url), JSON.stringify(await helpTexts()));
