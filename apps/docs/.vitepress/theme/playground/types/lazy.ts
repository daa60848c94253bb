/** The language service of an editor, which is loaded when the editor is first used. */
import type { Types } from "./types.ts";

/** Whether TypeScript checks the text. */
export type TypesState = "off" | "loading" | "on" | "failed";

/** Loaded once; again after it failed. */
export interface LazyTypes {
  readonly opened: Types | undefined;
  load(): Promise<void>;
  dispose(): void;
}

/** @param text the text of the editor at the time of the request */
export function lazyTypes(
  text: () => string,
  onOpen: () => void,
  onState: (state: TypesState) => void,
): LazyTypes {
  let opened: Types | undefined;
  let [isLoading, isDisposed] = [false, false];
  return {
    get opened() {
      return opened;
    },
    async load() {
      if (isLoading || opened) return;
      isLoading = true;
      onState("loading");
      try {
        const { openTypes } = await import("./types.ts");
        const types = await openTypes(text());
        if (isDisposed) return types.dispose();
        opened = types;
        types.update(text()); // it may have changed meanwhile
        onOpen();
        onState("on");
      } catch {
        onState("failed");
      } finally {
        isLoading = false;
      }
    },
    dispose() {
      isDisposed = true;
      opened?.dispose();
    },
  };
}
