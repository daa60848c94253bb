/** Fences of the language `figure` become drawings: pages of Markdown name one, and have no markup. */
import type { MarkdownRenderer } from "vitepress";

/** The drawings of `theme/figures/gw-figure.vue`. */
export const FIGURES: readonly string[] = ["letters", "sums", "look-back"];

/** @throws Error for a name that no drawing has */
export function drawFigures(markdown: MarkdownRenderer): void {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info = "", content = "" } = tokens[index] ?? {};
    if (info.trim() !== "figure") return fence?.(tokens, index, ...rest) ?? "";
    const name = content.trim();
    if (!FIGURES.includes(name)) throw new Error(`there is no figure ${JSON.stringify(name)}`);
    return `<gw-figure name="${name}"></gw-figure>\n`;
  };
}
