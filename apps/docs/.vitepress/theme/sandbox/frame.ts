/**
 * The page's end of the sandbox: a frame of an origin of its own whose policy forbids every request. A worker in it runs the
 * visitor's code, so that an endless loop does not block the page and ends with the frame.
 */
import { type Problem, ProblemError, untrustedProblem } from "../engine/problem.ts";
import { Limits } from "./limits.ts";
import { FILE } from "./messages.ts";

/**
 * Workers of modules do not start in a frame without an origin: the worker's text is a script, one file without imports.
 * Blobs are what the frame makes out of texts that it is sent; workers of blobs are under the frame's policy.
 */
const POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:";

const FRAME = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<script>
addEventListener("message", ({ data, source }) => {
  if (source !== parent) return;
  const url = URL.createObjectURL(new Blob([data.worker], { type: "text/javascript" }));
  const worker = new Worker(url);
  worker.onmessage = (event) => parent.postMessage(event.data, "*");
  worker.onerror = (event) => parent.postMessage({ failed: event.message || "the sandbox did not start" }, "*");
  worker.postMessage({ code: data.code });
}, { once: true });
parent.postMessage({ ready: true }, "*");
</script>`;

const UNROLLED = "loops in a pipeline are unrolled when it is built: keep them short";
const failure = (what: string, hint: string = UNROLLED): Problem => ({
  code: "bad-usage",
  what,
  where: FILE,
  hint,
});

let workerText: Promise<string> | undefined;

async function loadWorker(): Promise<string> {
  const { default: url } = await import("./sandbox.worker.ts?worker&url");
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the sandbox was not loaded: ${response.status}`);
  return response.text();
}

/** What the frame sent, as a document or an error; everything else is an error too. */
export function builtFrom(data: unknown): string {
  const { document, problem, failed } = (data ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof document === "string") return document;
  const found = untrustedProblem(problem);
  if (found) throw new ProblemError(found);
  throw new ProblemError(
    failure(typeof failed === "string" ? failed.slice(0, 500) : "the code gave no document"),
  );
}

/** Runs the code in a new sandbox. The text that comes back is untrusted. @throws ProblemError */
export async function build(code: string): Promise<string> {
  workerText ??= loadWorker();
  const worker = await workerText.catch((error: unknown) => {
    workerText = undefined;
    throw error;
  });
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.title = "Sandbox of the playground";
  frame.hidden = true;
  frame.srcdoc = FRAME;
  const listening = new AbortController();
  let limits: Limits | undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      limits = new Limits((...why) => reject(new ProblemError(failure(...why))));
      const receive = ({ source, data }: MessageEvent<unknown>): void => {
        if (source !== frame.contentWindow) return;
        const { ready, started } = (data ?? {}) as Readonly<Record<string, unknown>>;
        if (ready === true) frame.contentWindow?.postMessage({ worker, code }, "*");
        else if (started === true) limits?.start();
        else
          try {
            resolve(builtFrom(data));
          } catch (error) {
            reject(error);
          }
      };
      addEventListener("message", receive, { signal: listening.signal });
      document.body.append(frame);
    });
  } finally {
    limits?.clear();
    listening.abort();
    frame.remove();
  }
}
