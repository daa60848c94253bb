/**
 * Runs in a Node that puppeteer needs: opens an address in Firefox, runs the demonstration, and prints what happened as
 * JSON: `node firefox-visit.js PUPPETEER FIREFOX ADDRESS`.
 */
import { pathToFileURL } from "node:url";

const [, , puppeteerPath, executablePath, address] = process.argv;
const { default: puppeteer } = await import(pathToFileURL(puppeteerPath).href);
const PATIENCE_MS = 240_000;

const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true });
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const [wrong, requests] = [[], []];
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) wrong.push(message.text());
  });
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(address, { waitUntil: "load" });
  const button = await page.waitForSelector(
    "::-p-xpath(//button[starts-with(normalize-space(), 'Run it on')])",
  );
  await button.click();
  await page.waitForSelector("::-p-text(JavaScript ran.), ::-p-text(bits equal)");
  const text = await page.$eval(".gw-demo", (element) => element.innerText);
  console.log(JSON.stringify({ version: await browser.version(), wrong, requests, text }));
} finally {
  await browser.close();
}
