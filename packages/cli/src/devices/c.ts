/** The C compiler of this machine. */
import { isGroupwiseError } from "../base/problem.ts";
import { firstLine, loadFailure, type Survey } from "./device.ts";

const none = (what: string, reason: string, remedy: string): Survey => ({
  devices: [],
  missing: [{ target: "c", what, reason, remedy }],
});

const COMPILERS: Readonly<Record<string, string>> = {
  linux: "sudo apt-get install gcc (or your distribution's C compiler)",
  darwin: "xcode-select --install",
};

export async function findC(): Promise<Survey> {
  try {
    await import("koffi" as string);
  } catch (error) {
    return none("koffi, which calls compiled C from Node", loadFailure("koffi", error), "npm install koffi");
  }
  try {
    const { cRuntime } = await import("@groupwise/target-c/runtime");
    const { device, dispose } = await cRuntime();
    dispose();
    const found = {
      target: "c" as const,
      name: device.name,
      driver: device.driver,
      facts: async () => ({ compiler: "cc" }),
      open: () => cRuntime(),
    };
    return { devices: [found], missing: [] };
  } catch (error) {
    const reason = isGroupwiseError(error) ? error.what : firstLine(error);
    return none("a C compiler", reason, COMPILERS[process.platform] ?? "install gcc or clang as cc");
  }
}
