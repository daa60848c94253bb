/** Columns of the lines that the build writes. */
export const WIDTH = 80;

/** What `groupwise --version`, `groupwise --help` and `groupwise COMMAND --help` print, by their arguments. */
export interface HelpTexts {
  readonly plain: Readonly<Record<string, string>>;
  readonly coloured: Readonly<Record<string, string>>;
}
