/** The editor: CodeMirror 6, loaded by the page that shows it. */
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { syntaxHighlighting, syntaxTree } from "@codemirror/language";
import { Compartment, EditorState, type Extension, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import type { Mode } from "./lines.ts";
import { markLine, marks, relint } from "./marks.ts";
import { lazyTypes, type TypesState } from "./types/lazy.ts";

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
  /** Makes a line visible, and puts the cursor there. */
  show(line: number): void;
  dispose(): void;
}

/** How an editor is opened. */
export interface EditorOptions {
  readonly text: string;
  readonly mode: Mode;
  readonly label: string;
  readonly onChange: (text: string) => void;
  readonly onLine: (line: number) => void;
  readonly onSubmit: () => void;
  readonly onTypes: (state: TypesState) => void;
}

/** Tab leaves the editor, so that it can be passed by keyboard. */
export function openEditor(parent: Element, options: EditorOptions): Editor {
  const language = new Compartment();
  let { mode } = options;
  const types = lazyTypes(
    () => view.state.doc.toString(),
    () => view.dispatch({ effects: [language.reconfigure(extensionOf()), relint.of(null)] }),
    options.onTypes,
  );
  const extensionOf = (): Extension => [
    LANGUAGES[mode](),
    mode === "ts" && types.opened ? types.opened.extension : [],
  ];
  const run = (): boolean => {
    options.onSubmit();
    return true;
  };
  const lints = async () => (mode === "ts" ? ((await types.opened?.lints()) ?? []) : []);
  const listener = EditorView.updateListener.of((update) => {
    const { doc, selection } = update.state;
    if (update.docChanged) {
      types.opened?.update(doc.toString());
      options.onChange(doc.toString());
    }
    if (update.selectionSet) options.onLine(doc.lineAt(selection.main.head).number);
    if (update.focusChanged && update.view.hasFocus && mode === "ts") void types.load();
  });

  const view: EditorView = new EditorView({
    parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        Prec.highest(keymap.of([{ key: "Mod-Enter", run }])),
        basicSetup,
        syntaxHighlighting(classHighlighter),
        marks(lints),
        language.of(extensionOf()),
        EditorView.contentAttributes.of({ "aria-label": options.label }),
        EditorView.lineWrapping,
        listener,
      ],
    }),
  });
  return {
    setText(text, newMode) {
      mode = newMode;
      const changes = { from: 0, to: view.state.doc.length, insert: text };
      view.dispatch({ changes, effects: language.reconfigure(extensionOf()) });
    },
    mark: (line, message) => markLine(view, line, message),
    brokenLine() {
      let broken: number | undefined;
      syntaxTree(view.state).iterate({
        enter: ({ type, from }) => {
          if (type.isError) broken ??= view.state.doc.lineAt(from).number;
        },
      });
      return broken;
    },
    show(line) {
      if (line < 1 || line > view.state.doc.lines) return;
      const { from } = view.state.doc.line(line);
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    },
    dispose() {
      types.dispose();
      view.destroy();
    },
  };
}
