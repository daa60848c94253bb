/** The language service beside the page, so that checking holds up no typing. It reads code and runs none. */
import { expose } from "comlink";
import { openService, type Service } from "./service.ts";

let service: Service | undefined;
const opened = (): Service => {
  if (!service) throw new Error("the language service was not opened");
  return service;
};

const methods = {
  open(files: Readonly<Record<string, string>>, text: string): void {
    service = openService(files, text);
  },
  update: (text) => opened().update(text),
  getLints: () => opened().getLints(),
  getHover: (at) => opened().getHover(at),
  getAutocompletion: (at) => opened().getAutocompletion(at),
} satisfies Service & { open: unknown };

/** What the worker answers to. */
export type TypesWorker = typeof methods;

expose(methods);
