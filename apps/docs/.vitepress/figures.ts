/** Fences of the language `figure` become drawings: pages of Markdown name what is drawn, and have no markup. */
import type { MarkdownRenderer } from "vitepress";

/** The drawings of `theme/figures/gw-figure.vue`. */
export const FIGURES: readonly string[] = ["letters", "sums", "look-back"];

/** @throws Error for an unknown drawing */
function figure(name: string): string {
  if (!FIGURES.includes(name)) throw new Error(`there is no figure ${JSON.stringify(name)}`);
  return `<gw-figure name="${name}"></gw-figure>\n`;
}

export function drawFigures(markdown: MarkdownRenderer): void {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info = "", content = "" } = tokens[index] ?? {};
    return info.trim() === "figure" ? figure(content.trim()) : (fence?.(tokens, index, ...rest) ?? "");
  };
}
