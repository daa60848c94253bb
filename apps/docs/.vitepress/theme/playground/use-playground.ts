/** The state of the playground, and what its buttons do. */
import { markRaw, ref, shallowRef } from "vue";
import { Engine } from "../engine/client.ts";
import type { InputFile, RunReport, Shown } from "../engine/messages.ts";
import { type Problem, problemOf } from "../engine/problem.ts";
import { loadExample } from "./examples.ts";
import type { Mode } from "./lines.ts";
import { hashOf, sharedIn } from "./link.ts";
import type { Built } from "./project.ts";

/** What the page shows and changes. */
const stateOf = () => ({
  mode: ref<Mode>("ts"),
  text: ref(""),
  /** Counts the texts that did not come from typing, for the editor to take over. */
  replaced: ref(0),
  shown: shallowRef<Shown>(),
  report: shallowRef<RunReport>(),
  problem: shallowRef<Problem>(),
  busy: ref<"" | "build" | "run">(""),
  /** What takes long. */
  note: ref(""),
  /** Whether the text was changed after it was built. */
  isStale: ref(false),
  /** Whether the text came by a link, and was neither changed nor built yet. */
  isShared: ref(false),
  items: ref(100_000),
  seed: ref(1),
  typed: ref<Record<string, string>>({}),
  files: shallowRef<Readonly<Record<string, InputFile>>>({}),
});

/** The state, and what the page's buttons do. */
export interface Playground extends ReturnType<typeof stateOf> {
  readonly engine: Engine;
  edit(text: string): void;
  example(name: string): Promise<void>;
  build(): Promise<void>;
  run(): Promise<void>;
  /** The hash of a link to the text. */
  link(): Promise<string>;
  /** Shows the text of a link. Code does not run before it is built; a document is data, and is shown as what it becomes. */
  restore(hash: string): Promise<void>;
  editDocument(): void;
  /** What was built last, with the text that it was built from. */
  built(): Built | undefined;
  dispose(): void;
}

/** TypeScript goes through the sandbox, which returns untrusted JSON; a document is untrusted JSON already. */
async function documentOf(mode: Mode, text: string): Promise<string> {
  if (mode === "json") return text;
  const { build } = await import("../sandbox/frame.ts");
  return build(text);
}

export function usePlayground(): Playground {
  const engine = markRaw(new Engine());
  const state = stateOf();
  const { mode, text, replaced, shown, report, problem, busy, note, isStale, isShared, items, seed } = state;

  const replace = (newText: string, newMode: Mode): void => {
    text.value = newText;
    mode.value = newMode;
    isStale.value = shown.value !== undefined;
    isShared.value = false;
    replaced.value += 1;
  };
  const attempt = async (what: "build" | "run", work: () => Promise<void>): Promise<void> => {
    if (busy.value !== "") return;
    busy.value = what;
    problem.value = undefined;
    try {
      await work();
    } catch (error) {
      problem.value = problemOf(error);
    } finally {
      busy.value = "";
      note.value = "";
    }
  };
  let source: Pick<Built, "mode" | "text"> = { mode: "json", text: "" };
  const showDocument = async (document: string, from: typeof source): Promise<void> => {
    const n = Number(items.value) || 0;
    shown.value = await engine.call("show", { source: { document }, n });
    source = from;
    report.value = undefined;
    isStale.value = false;
    isShared.value = false;
  };

  return {
    engine,
    ...state,
    edit(newText) {
      isStale.value ||= shown.value !== undefined && newText !== text.value;
      isShared.value &&= newText === text.value;
      text.value = newText;
    },
    async example(name) {
      problem.value = undefined;
      replace(await loadExample(name), "ts");
    },
    build: () =>
      attempt("build", async () => {
        const from = { mode: mode.value, text: text.value };
        await showDocument(await documentOf(from.mode, from.text), from);
      }),
    run: () =>
      attempt("run", async () => {
        const document = shown.value?.document;
        if (document === undefined) return;
        const [n, from] = [Number(items.value), Number(seed.value)];
        const request = { n, seed: from, typed: { ...state.typed.value }, files: state.files.value };
        report.value = await engine.call("run", { source: { document }, request }, (words) => {
          note.value = words;
        });
      }),
    link: () => hashOf({ mode: mode.value, text: text.value }),
    restore: (hash) =>
      attempt("build", async () => {
        const from = await sharedIn(hash);
        if (from === undefined) return;
        shown.value = undefined;
        if (from.mode === "json") await showDocument(from.text, from);
        replace((shown.value as Shown | undefined)?.document ?? from.text, from.mode);
        isStale.value = false;
        isShared.value = from.mode === "ts";
      }),
    editDocument() {
      if (!shown.value) return;
      replace(shown.value.document, "json");
      isStale.value = false;
    },
    built() {
      if (!shown.value) return undefined;
      const { document, arguments: list } = shown.value;
      return { ...source, document, arguments: list, n: Number(items.value) || 0 };
    },
    dispose: () => engine.dispose(),
  };
}
