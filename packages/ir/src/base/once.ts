/** Results that are computed once for each object. */

/** The function, which computes its result once for each object. The object and the result must not change later. */
export function oncePer<K extends object, V>(compute: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, V>();
  return (of) => {
    const found = known.get(of);
    if (found !== undefined) return found;
    const made = compute(of);
    known.set(of, made);
    return made;
  };
}
