import { styleText } from "node:util";

/** A style as a function. The caller knows whether colours are shown: Node would ask its own stdout. */
export const paint =
  (style: "bold" | "cyan" | "green" | "yellow" | "red") =>
  (text: string): string =>
    styleText(style, text, { validateStream: false });
