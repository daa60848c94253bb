import { errorOf } from "@groupwise/core/target";

/** An option that is one of a few words; the first one if it is absent. @throws GroupwiseError `bad-usage` */
export function choice<T extends string>(
  options: unknown,
  key: string,
  known: readonly T[],
  at: string | undefined,
): T {
  const value = (options as Record<string, unknown> | undefined)?.[key] ?? known[0];
  if (known.includes(value as T)) return value as T;
  const reason = `there is no ${key} ${JSON.stringify(String(value))}`;
  throw errorOf("bad-usage", { reason, hint: `use one of: ${known.join(", ")}` }, at);
}

/** An option that is true or false; false if it is absent. @throws GroupwiseError `bad-usage` */
export function flag(options: unknown, key: string, at: string | undefined): boolean {
  const value = (options as Record<string, unknown> | null | undefined)?.[key] ?? false;
  if (typeof value === "boolean") return value;
  throw errorOf("bad-usage", { reason: `${key} is not a boolean`, hint: `pass { ${key}: true }` }, at);
}
