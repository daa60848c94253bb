/** The texts of the demonstration in every language. */
import { emitText } from "../engine/emit.ts";
import { LANGUAGES, type Language } from "../engine/messages.ts";
import { readSource } from "../engine/source.ts";

/** Where the first kernel begins: what is above it are declarations and functions. */
const KERNELS: Readonly<Record<Language, RegExp>> = {
  wgsl: /^@compute/m,
  opencl: /^__kernel/m,
  cuda: /^GROUPWISE_KERNEL/m,
  c: /^void \w+_kernel\(/m,
  wasm: /^ {2}\(func/m,
  js: /^export function kernel/m,
};

/** From the first kernel on. @throws Error where a target refuses the demonstration, or has no kernel */
export async function demoTexts(): Promise<Readonly<Record<Language, string>>> {
  const { checked } = await readSource({ demo: true });
  const texts = LANGUAGES.map(async (language) => {
    const emitted = await emitText(checked, language);
    if ("problem" in emitted) throw new Error(emitted.problem.what);
    const start = emitted.text.search(KERNELS[language]);
    if (start < 0) throw new Error(`the text in ${language} has no kernel`);
    return [language, emitted.text.slice(start)];
  });
  return Object.fromEntries(await Promise.all(texts));
}
