/** Types on hover, completion and errors in the editor, by TypeScript in a worker: loaded when the editor is used. */
import { autocompletion } from "@codemirror/autocomplete";
import type { Diagnostic } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import { type HoverInfo, tsAutocompleteWorker, tsFacetWorker, tsHoverWorker } from "@valtown/codemirror-ts";
import type { WorkerShape } from "@valtown/codemirror-ts/worker";
import { type Remote, wrap } from "comlink";
import { PATH } from "./options.ts";
import type { TypesWorker } from "./types.worker.ts";

/** The language service of one editor. */
export interface Types {
  readonly extension: Extension;
  update(text: string): void;
  lints(): Promise<readonly Diagnostic[]>;
  dispose(): void;
}

/** The type of a name, and its doc comment. */
function tooltipOf({ quickInfo }: HoverInfo): { readonly dom: HTMLElement } {
  const dom = document.createElement("div");
  dom.className = "gw-hover";
  const type = dom.appendChild(document.createElement("code"));
  type.textContent = (quickInfo?.displayParts ?? []).map(({ text }) => text).join("");
  const about = (quickInfo?.documentation ?? []).map(({ text }) => text).join("");
  if (about) dom.appendChild(document.createElement("p")).textContent = about;
  return { dom };
}

/** Starts the worker on a text. @throws Error if it does not load */
export async function openTypes(text: string): Promise<Types> {
  const [{ data }, { default: TypesWorkerClass }] = await Promise.all([
    import("./declarations.data.ts"),
    import("./types.worker.ts?worker"),
  ]);
  const worker = new TypesWorkerClass();
  const failed = new Promise<never>((_, reject) => {
    worker.addEventListener("error", ({ message }) =>
      reject(new Error(message || "the worker did not start")),
    );
  });
  const service: Remote<TypesWorker> = wrap(worker);
  try {
    await Promise.race([service.open(data, text), failed]);
  } catch (error) {
    worker.terminate();
    throw error;
  }
  return {
    extension: [
      // The library's worker has more methods; its extensions call the two that this one has.
      tsFacetWorker.of({ path: PATH, worker: service as unknown as WorkerShape }),
      autocompletion({ override: [tsAutocompleteWorker()] }),
      tsHoverWorker({ renderTooltip: tooltipOf }),
    ],
    update: (now) => void service.update(now),
    lints: () => service.getLints(),
    dispose: () => worker.terminate(),
  };
}
