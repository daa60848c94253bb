/** Browsers with WebGPU, for `doctor`: pipelines run in them from a page, not from here. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const PROGRAMS: readonly string[] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const ELSEWHERE: readonly string[] = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
];

/** The path of an installed Chromium or Chrome. */
export function findBrowser(): string | undefined {
  const onPath = (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((directory) => PROGRAMS.map((name) => join(directory, name)));
  return [...onPath, ...ELSEWHERE].find((path) => existsSync(path));
}
