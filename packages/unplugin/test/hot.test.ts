/** Hot reload: Vite's development server knows the files of a pipeline. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createServer, type DevEnvironment } from "vite";
import { expect, onTestFinished, test, vi } from "vitest";
import groupwise from "../src/vite.ts";
import { project, SCAN } from "./project.ts";

/** The client of a server in a folder, what a change of a file makes it send, and the module that takes the place of the import. */
async function serve(folder: string) {
  const server = await createServer({
    root: folder,
    configFile: false,
    logLevel: "silent",
    appType: "custom",
    plugins: [groupwise()],
    server: { middlewareMode: true, ws: false },
    optimizeDeps: { noDiscovery: true },
  });
  onTestFinished(() => server.close());
  const client: DevEnvironment = server.environments.client;
  const change = async (file: string, text: string): Promise<unknown> => {
    const sent = new Promise((done) => {
      client.hot.send = (...[payload]: readonly unknown[]) => done(payload);
    });
    writeFileSync(join(folder, file), text);
    return sent;
  };
  const emitted = async (): Promise<string> => {
    await client.transformRequest("/main.js");
    const [, url = ""] = [...client.moduleGraph.urlToModuleMap.keys()].filter(
      (one) => !one.includes("runtime"),
    );
    return (await client.transformRequest(url))?.code ?? "";
  };
  await vi.waitFor(() => expect(server.watcher.getWatched()).toHaveProperty([folder]), { timeout: 30_000 });
  return { change, emitted };
}

const MAIN = { "main.js": 'export { default } from "./scan.ts?groupwise";\n' };
const factor = (text: string): string => `export const factor: number = ${text};\n`;

test("a change of a file that the pipeline imports reloads what was emitted", async () => {
  const { change, emitted } = await serve(project({ ...SCAN, ...MAIN }));
  expect(await emitted()).toContain("sums-by-2");
  expect(await change("factor.ts", factor("3"))).toMatchObject({ type: "full-reload" });
  expect(await emitted()).toContain("sums-by-3");
  expect(await change("scan.ts", SCAN["scan.ts"].replace("sums-by", "other-by"))).toMatchObject({
    type: "full-reload",
  });
  expect(await emitted()).toContain("other-by-3");
});

test("a change of a file that could not be run reloads, also if it never could", async () => {
  const { change, emitted } = await serve(project({ ...SCAN, ...MAIN, "factor.ts": factor("absent") }));
  await expect(emitted()).rejects.toMatchObject({ code: "bad-file", loc: { line: 1 } });
  expect(await change("factor.ts", factor("3"))).toMatchObject({ type: "full-reload" });
  expect(await emitted()).toContain("sums-by-3");
});
