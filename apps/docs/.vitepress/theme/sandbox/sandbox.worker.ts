/** Runs the visitor's code inside the sandboxed frame, which has no network, storage or document. */
import { problemOf } from "../engine/problem.ts";
import { documentOf } from "./evaluate.ts";
import type { Build, Built, Started } from "./messages.ts";

self.addEventListener("message", ({ data }: MessageEvent<Build>) => {
  const built = ((): Built => {
    try {
      return { document: documentOf(data.code) };
    } catch (error) {
      return { problem: problemOf(error) };
    }
  })();
  self.postMessage(built);
});
self.postMessage({ started: true } satisfies Started);
