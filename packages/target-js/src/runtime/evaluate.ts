/** Evaluates emitted text in this process. */
import type { Artifact } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";

const imported = <M>(text: string): Promise<M> =>
  import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`);

/** The text of an artifact's module. */
function textOf({ files, manifest }: Artifact): string {
  const path = manifest.passes[0]?.file;
  return (files.find((file) => file.path === path) ?? files[0])?.text ?? "";
}

/**
 * The body of a function that returns some exports of an artifact's module.
 * @param names of the exports
 */
export function bodyOf(artifact: Artifact, names: readonly string[]): string {
  const text = textOf(artifact).replaceAll(/^export (default )?/gm, "");
  return `"use strict";\n${text}\nreturn { ${names.join(", ")} };`;
}

/**
 * The module of an artifact's first file. Its text runs as the body of a function, which is freed with the
 * pipeline; an engine never frees an imported module. If a policy forbids evaluation, it is imported from a
 * `data:` URL.
 * @param names of the exports that are wanted
 * @throws GroupwiseError `no-evaluation` if the policy also forbids that
 */
export async function moduleOf<M extends object>(
  artifact: Artifact,
  names: readonly (keyof M & string)[],
): Promise<M> {
  let made: () => M;
  try {
    made = new Function(bodyOf(artifact, names)) as () => M;
  } catch (refusal) {
    return imported<M>(textOf(artifact)).catch((cause: unknown) => {
      const reason = refusal instanceof Error ? refusal.message : String(refusal);
      throw errorOf("no-evaluation", { reason }, artifact.manifest.pipeline, cause);
    });
  }
  return made();
}
