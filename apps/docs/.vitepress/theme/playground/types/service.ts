/** TypeScript's language service on one file in memory. */
import type { Diagnostic } from "@codemirror/lint";
import { createSystem, createVirtualTypeScriptEnvironment } from "@typescript/vfs";
import { getAutocompletion, getHover } from "@valtown/codemirror-ts/worker";
import ts from "typescript";
import { OPTIONS, PATH } from "./options.ts";

/** Requests of the editor; positions count characters. */
export interface Service {
  update(text: string): void;
  getLints(): readonly Diagnostic[];
  getHover(at: { readonly pos: number }): ReturnType<typeof getHover>;
  getAutocompletion(at: {
    readonly context: { readonly pos: number; readonly explicit: boolean };
  }): ReturnType<typeof getAutocompletion>;
}

const SEVERITIES: Readonly<Record<ts.DiagnosticCategory, Diagnostic["severity"]>> = {
  [ts.DiagnosticCategory.Error]: "error",
  [ts.DiagnosticCategory.Warning]: "warning",
  [ts.DiagnosticCategory.Suggestion]: "hint",
  [ts.DiagnosticCategory.Message]: "info",
};

/** @param files declarations by place, as the build collects them */
export function openService(files: Readonly<Record<string, string>>, text: string): Service {
  const system = createSystem(new Map([...Object.entries(files), [PATH, text]]));
  const env = createVirtualTypeScriptEnvironment(system, [PATH, "/globals.d.ts"], ts, OPTIONS);
  const { languageService: service } = env;
  return {
    // TypeScript's own file systems take an empty text for a missing file.
    update: (now) => env.updateFile(PATH, now === "" ? "\n" : now),
    getLints: () =>
      [...service.getSyntacticDiagnostics(PATH), ...service.getSemanticDiagnostics(PATH)].map(
        ({ start = 0, length = 0, messageText, category }) => ({
          from: start,
          to: start + length,
          severity: SEVERITIES[category],
          source: "TypeScript",
          message: ts.flattenDiagnosticMessageText(messageText, "\n"),
        }),
      ),
    getHover: ({ pos }) => getHover({ env, path: PATH, pos }),
    getAutocompletion: ({ context }) => getAutocompletion({ env, path: PATH, context }),
  };
}
