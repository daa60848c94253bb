/** The problems of the text, at its lines: the problem of the last build beside what TypeScript finds. */
import { type Diagnostic, forceLinting, linter, lintGutter } from "@codemirror/lint";
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";

/** Milliseconds without typing after which the text is checked. */
const DELAY_MS = 400;

const setMark = StateEffect.define<Diagnostic | undefined>();
/** Requests all marks again. */
export const relint: ReturnType<typeof StateEffect.define<null>> = StateEffect.define<null>();

const mark = StateField.define<Diagnostic | undefined>({
  create: () => undefined,
  update(before, { changes, effects }) {
    for (const effect of effects) if (effect.is(setMark)) return effect.value;
    return before && { ...before, from: changes.mapPos(before.from), to: changes.mapPos(before.to) };
  },
});

/** @param lints what else is wrong with the text */
export const marks = (lints: () => Promise<readonly Diagnostic[]>): Extension => [
  mark,
  lintGutter(),
  linter(
    async ({ state }) => {
      const own = state.field(mark);
      return [...(own ? [own] : []), ...(await lints())];
    },
    {
      delay: DELAY_MS,
      needsRefresh: ({ transactions }) =>
        transactions.some(({ effects }) => effects.some((one) => one.is(setMark) || one.is(relint))),
    },
  ),
];

/** Marks a line, counted from 1; without a line no mark stays. */
export function markLine(view: EditorView, line?: number, message: string = ""): void {
  const { doc } = view.state;
  const at = line !== undefined && line >= 1 && line <= doc.lines ? doc.line(line) : undefined;
  const value = at && { from: at.from, to: at.to, severity: "error" as const, message };
  view.dispatch({ effects: setMark.of(value) });
  forceLinting(view);
}
