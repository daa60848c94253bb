/** Objects of WebGPU with some methods replaced. */
/** An object of WebGPU with methods replaced. */
export const spied = <T extends object>(object: T, methods: Readonly<Record<string, unknown>>): T =>
  new Proxy(object, {
    get: (target, key) => {
      if (typeof key === "string" && Object.hasOwn(methods, key)) return methods[key];
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
