/** The first page in Firefox, where it is installed: by WebDriver BiDi of puppeteer, which needs Node 22 and is fetched in full runs. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Found, found, missing, runProcess } from "@groupwise/testkit/devices";
import { fetched, findNode } from "@groupwise/testkit/packed";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DIST, type Site, serveSite } from "./server.ts";

const VISIT = join(import.meta.dirname, "firefox-visit.js");

/** What the page wrote as errors, what it asked for, and the text of the demonstration. */
interface Visit {
  readonly version: string;
  readonly wrong: readonly string[];
  readonly requests: readonly string[];
  readonly text: string;
}

function findFirefox(): Found<string> {
  const names = ["firefox-esr", "firefox"];
  const paths = (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  const path = paths.find((one) => existsSync(one));
  return path ? found(path) : missing("no Firefox is installed", "on Debian: apt-get install firefox-esr");
}

/** The command line of a visit, the address aside. */
async function findVisitor(): Promise<Found<readonly [node: string, ...args: string[]]>> {
  const firefox = findFirefox();
  if (!firefox.found) return firefox;
  const [node, modules] = [await findNode(22), await fetched("puppeteer-core@25.12.0")];
  if (!node.found) return node;
  if (!modules.found) return modules;
  const puppeteer = join(modules.value, "puppeteer-core/lib/puppeteer/puppeteer-core.js");
  return found([node.value, VISIT, puppeteer, firefox.value]);
}

let site: Site;
beforeAll(async () => {
  site = await serveSite(DIST);
});
afterAll(() => site.close());

test("Firefox runs the demonstration of the first page, without errors and external requests", async (context) => {
  const visitor = await findVisitor();
  if (!visitor.found) return context.skip(`${visitor.reason}; ${visitor.remedy}`);
  const [node, ...args] = visitor.value;
  const { code, stdout, stderr } = await runProcess(node, [...args, `${site.origin}/`]);
  expect([code, stderr]).toEqual([0, ""]);
  const { version, wrong, requests, text } = JSON.parse(stdout) as Visit;
  expect(version).toMatch(/firefox/i);
  expect(wrong).toEqual([]);
  expect(requests.length).toBeGreaterThan(0);
  expect(requests.filter((url) => !url.startsWith(site.origin) && !/^(blob|data|about):/.test(url))).toEqual(
    [],
  );
  expect(text).toMatch(/bits equal|WebAssembly ran\./);
  expect(text).toMatch(/1,048,576/); // the items that ran
});
