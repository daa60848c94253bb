/** An object of WebGPU with some members replaced. */
export const spied = <T extends object>(object: T, members: Readonly<Record<string, unknown>>): T =>
  new Proxy(object, {
    get: (target, key) => {
      if (typeof key === "string" && Object.hasOwn(members, key)) return members[key];
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
