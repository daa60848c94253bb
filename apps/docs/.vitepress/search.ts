/** Search that finds symbols of the API first. */

/**
 * How much more a section counts that matches a term: sections about a symbol of that name come first.
 * The site carries it as text, so it has no dependencies.
 */
export function boostSymbols(id: string, term: string, stored?: Readonly<Record<string, unknown>>): number {
  if (!id.includes("/reference/")) return 1;
  const title = String(stored?.title ?? "");
  const parents = Array.isArray(stored?.titles) ? stored.titles : [];
  const name = /([\w$]+)(?:\(\))?(?:\\?<.*)?$/.exec(title)?.[1] ?? "";
  if (name.toLowerCase() !== term.toLowerCase()) return 1;
  if (/^(Function|Class|Interface): /.test(title)) return 40;
  if (/^(Type Aliases|Variables)$/.test(String(parents.at(-1) ?? ""))) return 40;
  return title.endsWith("()") ? 10 : 1; // a method; names of properties are often plain words
}
