/** The editor: CodeMirror 6, loaded by the page that shows it. */
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { syntaxHighlighting, syntaxTree } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import type { Mode } from "./lines.ts";

const LANGUAGES = {
  ts: () => javascript({ typescript: true }),
  json: () => json(),
} as const;

/** What the page does with the editor. */
export interface Editor {
  /** Replaces the text, as one step that can be undone. */
  setText(text: string, mode: Mode): void;
  /** Marks a line, counted from 1; without a line no mark stays. */
  mark(line?: number, message?: string): void;
  /** The first line that the grammar does not accept. */
  brokenLine(): number | undefined;
  dispose(): void;
}

/** How an editor is opened. */
export interface EditorOptions {
  readonly text: string;
  readonly mode: Mode;
  readonly label: string;
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
}

/** Tab leaves the editor, so that it can be passed by keyboard. */
export function openEditor(parent: Element, options: EditorOptions): Editor {
  const language = new Compartment();
  const run = (): boolean => {
    options.onSubmit();
    return true;
  };
  const submit = Prec.highest(keymap.of([{ key: "Mod-Enter", run }]));
  const changes = EditorView.updateListener.of((update) => {
    if (update.docChanged) options.onChange(update.state.doc.toString());
  });
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        submit,
        basicSetup,
        syntaxHighlighting(classHighlighter),
        lintGutter(),
        language.of(LANGUAGES[options.mode]()),
        EditorView.contentAttributes.of({ "aria-label": options.label }),
        EditorView.lineWrapping,
        changes,
      ],
    }),
  });
  return {
    setText(text, mode) {
      const changed = { from: 0, to: view.state.doc.length, insert: text };
      view.dispatch({ changes: changed, effects: language.reconfigure(LANGUAGES[mode]()) });
    },
    mark(line, message = "") {
      const { doc } = view.state;
      const at = line !== undefined && line >= 1 && line <= doc.lines ? doc.line(line) : undefined;
      const marks = at ? [{ from: at.from, to: at.to, severity: "error" as const, message }] : [];
      view.dispatch(setDiagnostics(view.state, marks));
    },
    brokenLine() {
      let broken: number | undefined;
      syntaxTree(view.state).iterate({
        enter: ({ type, from }) => {
          if (type.isError) broken ??= view.state.doc.lineAt(from).number;
        },
      });
      return broken;
    },
    dispose: () => view.destroy(),
  };
}
