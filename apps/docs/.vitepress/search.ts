/**
 * Options of the search: guides and symbols that a query names first. The site carries functions as texts, so each is
 * complete in itself.
 */

/** What a query finds: its words and their forms, and all of them as one word, as names of symbols have them. */
function tokenize(query: string): string[] {
  const words = query.split(/[\s\p{Z}\p{P}]+/u).filter((word) => word !== "");
  return words.length > 1 ? [...words, words.join("")] : words;
}

/** A word of a query with its plural and other forms; none of a word that every page has. */
function processTerm(word: string): string[] {
  const term = word.toLowerCase();
  if (/^(an?|and|by|do|does|for|from|how|i|in|is|it|my|of|on|or|the|to|what|with)$/.test(term)) return [];
  const others: Readonly<Record<string, readonly string[]>> = {
    scan: ["scaninclusive"],
    prefix: ["scan", "scaninclusive"],
    cumsum: ["scan", "scaninclusive"],
    cumulative: ["scan"],
    running: ["scan"],
    sort: ["radixsort"],
    filter: ["compaction", "compact"],
    custom: ["user", "own"],
    maximum: ["limits"],
    deterministic: ["order", "equal"],
    quick: ["start"],
  };
  return [term, `${term}s`, `${term}ing`, term.replace(/s$/, ""), ...(others[term] ?? [])].filter(
    (one, i, all) => all.indexOf(one) === i,
  );
}

/** Names that are added to the words of a query or made of them come after the guides that have the words. */
function boostTerm(term: string, _: number, terms: readonly string[]): number {
  const [first = ""] = terms;
  if (term !== first && /^(scaninclusive|radixsort)$/.test(term)) return 0.2;
  return term.startsWith(first) && term.length > first.length + 3 ? 0.1 : 1;
}

/** Terms of four letters have too many neighbours: sort, sqrt. */
const fuzzy = (term: string): number | false => term.length > 4 && 0.2;

/**
 * How much more a section counts that has a term, which is a word of the query or one that begins like it or resembles it: sections
 * about a symbol of that name come first.
 */
export function boostDocument(id: string, term: string, stored?: Readonly<Record<string, unknown>>): number {
  const kinds: readonly (readonly [RegExp, number])[] = [
    [/^\/(changelog|benchmarks|checklist|support)\b/, 0.2],
    [/^\/(examples|errors)\b/, 0.6],
    [/^\/tutorials\/(vite|cmake|everywhere)\b/, 0.9],
    [/^\/guide\/docs\/decisions\//, 0.3],
    [/^\/guide\//, 0.2],
    [/^\/reference\/@groupwise\/core\/(schema|laws|state|tuning)\//, 0.2],
    // The methods of each type are those of f32.
    [/^\/reference\/@groupwise\/dsl\/interfaces\/(Bool|F16|F64|I32|I64|U32|U64)Value\b/, 0.2],
    [/^\/reference\//, 0.5],
  ];
  const kind = kinds.find(([address]) => address.test(id))?.[1] ?? 1;
  const title = String(stored?.title ?? "");
  const parents = Array.isArray(stored?.titles) ? stored.titles : [];
  if (!id.startsWith("/reference/")) return kind * ([2, 1][parents.length] ?? 0.7);
  const name = /([\w$]+)\??(?:\(\))?(?:\\?<.*)?$/.exec(title)?.[1] ?? "";
  if (name.toLowerCase() !== term.toLowerCase()) return kind;
  const isSymbol =
    /^(Function|Class|Interface): /.test(title) ||
    /^(Interfaces|Type Aliases|Variables)$/.test(String(parents.at(-1) ?? ""));
  if (!isSymbol && !title.endsWith("()")) return kind * 0.3; // a property
  // Nobody writes scanInclusive and means the words; `manifest` is a word first.
  const isWord = !/[a-z\d][A-Z]/.test(name);
  return kind * (isWord ? 1.5 : !isSymbol ? 10 : title.startsWith("Function") ? 40 : 8);
}

/** Words that only begin like a word of the query or resemble it count little: their names may be boosted. */
export const SEARCH = {
  tokenize,
  processTerm,
  boostTerm,
  fuzzy,
  boostDocument,
  weights: { prefix: 0.02, fuzzy: 0.005 },
};
