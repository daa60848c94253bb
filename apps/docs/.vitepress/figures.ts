/** Fences of the languages `figure` and `bars` become drawings: pages of Markdown name or hold what is drawn, and have no markup. */
import type { MarkdownRenderer } from "vitepress";

/** The drawings of `theme/figures/gw-figure.vue`. */
export const FIGURES: readonly string[] = ["letters", "sums", "look-back"];

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The HTML of a fence, by its language. @throws Error for an unknown drawing, or bars that are not JSON */
const DRAWN: Readonly<Record<string, (content: string) => string>> = {
  figure(name) {
    if (!FIGURES.includes(name)) throw new Error(`there is no figure ${JSON.stringify(name)}`);
    return `<gw-figure name="${name}"></gw-figure>\n`;
  },
  bars: (json) => `<gw-bars bars="${escaped(JSON.stringify(JSON.parse(json)))}"></gw-bars>\n`,
};

export function drawFigures(markdown: MarkdownRenderer): void {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info = "", content = "" } = tokens[index] ?? {};
    const draw = Object.hasOwn(DRAWN, info.trim()) ? DRAWN[info.trim()] : undefined;
    return draw?.(content.trim()) ?? fence?.(tokens, index, ...rest) ?? "";
  };
}
