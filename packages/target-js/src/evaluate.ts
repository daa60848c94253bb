/** Emitted text made runnable in this process. */
import type { Artifact } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";

const imported = <M>(text: string): Promise<M> =>
  import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`);

/**
 * The module of an artifact's first file. Its text runs as the body of a function, which is freed with the
 * pipeline; an engine never frees an imported module. If a policy forbids evaluation, it is imported from a
 * `data:` URL.
 * @param names of the exports that are wanted
 * @throws GroupwiseError `no-evaluation` if it forbids that too
 */
export async function moduleOf<M extends object>(
  { files, manifest }: Artifact,
  names: readonly (keyof M & string)[],
): Promise<M> {
  const path = manifest.passes[0]?.file;
  const text = (files.find((file) => file.path === path) ?? files[0])?.text ?? "";
  let made: () => M;
  try {
    const body = text.replaceAll(/^export (default )?/gm, "");
    made = new Function(`"use strict";\n${body}\nreturn { ${names.join(", ")} };`) as () => M;
  } catch (refusal) {
    return imported<M>(text).catch((cause: unknown) => {
      const reason = refusal instanceof Error ? refusal.message : String(refusal);
      throw errorOf("no-evaluation", { reason }, manifest.pipeline, cause);
    });
  }
  return made();
}
