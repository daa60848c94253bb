/** The packages and the text of a changeset. @throws Error for a text that is not a changeset */
export function changeOf(text: string): { readonly packages: readonly string[]; readonly body: string };
export function changelogPage(): string;
