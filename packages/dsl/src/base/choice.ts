import { errorOf } from "@groupwise/core/target";

/**
 * Options that have no other keys than these: the effect of a misspelt option would be lost.
 * @throws GroupwiseError `bad-usage`
 */
export function optionsOf<T extends object>(
  options: T | null | undefined,
  known: readonly (keyof T & string)[],
  at: string | undefined,
): Partial<T> {
  const given = options ?? {};
  const isObject = typeof given === "object";
  const other = isObject && Object.keys(given).find((key) => !(known as readonly string[]).includes(key));
  if (other === undefined) return given;
  const reason = isObject ? `there is no option ${JSON.stringify(other)}` : `options are a ${typeof given}`;
  throw errorOf("bad-usage", { reason, hint: `known options: ${known.join(", ")}` }, at);
}

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
