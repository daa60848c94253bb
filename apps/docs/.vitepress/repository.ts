/** Links to the repository, where the root package names one. */
import { readFileSync } from "node:fs";

interface Links {
  readonly socialLinks?: { icon: "github"; link: string }[];
  readonly editLink?: { pattern: string; text: string };
}

/** The file of the repository that a page is built from; undefined for pages that are printed from code. */
export function sourceOf(page: string): string | undefined {
  if (/^(reference|generated)\//.test(page)) return undefined;
  return page.startsWith("guide/") ? page.slice("guide/".length) : `apps/docs/${page}`;
}

/** @param repository the field `repository` of a package, as npm takes it */
export function linksOf(repository: unknown): Links {
  const { url = repository } = (repository ?? {}) as { readonly url?: unknown };
  const [, name] =
    /^(?:git\+)?(?:https:\/\/github\.com\/|github:)([\w-]+\/[\w.-]+?)(?:\.git)?$/.exec(String(url)) ?? [];
  if (name === undefined) return {};
  const link = `https://github.com/${name}`;
  return {
    socialLinks: [{ icon: "github", link }],
    editLink: { pattern: `${link}/edit/main/:path`, text: "Edit this page" },
  };
}

/** Of this repository. */
export const repositoryLinks = (): Links =>
  linksOf(
    (
      JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
        repository?: unknown;
      }
    ).repository,
  );
