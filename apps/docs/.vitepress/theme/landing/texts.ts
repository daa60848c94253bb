/** The texts of the demonstration in every language. */
import { emitText } from "../engine/emit.ts";
import { LANGUAGES, type Language } from "../engine/messages.ts";
import { readSource } from "../engine/source.ts";

/** @throws Error where a target refuses the demonstration */
export async function demoTexts(): Promise<Readonly<Record<Language, string>>> {
  const { checked } = await readSource({ demo: true });
  const texts = LANGUAGES.map(async (language) => {
    const emitted = await emitText(checked, language);
    if ("problem" in emitted) throw new Error(emitted.problem.what);
    return [language, emitted.text];
  });
  return Object.fromEntries(await Promise.all(texts));
}
