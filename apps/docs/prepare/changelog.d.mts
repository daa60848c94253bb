/** The packages and the text of a changeset. @throws Error for a text that is none */
export function changeOf(text: string): { readonly packages: readonly string[]; readonly body: string };
export function changelogPage(): string;
