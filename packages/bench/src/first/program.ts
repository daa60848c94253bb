/** A process of `bench first-runs`: `node <this> ASKED.json ANSWER.json`. */
import { readFileSync, writeFileSync } from "node:fs";
import { type Asked, answerTo } from "./answer.ts";

const [, , asked, answer] = process.argv as string[];
const given = JSON.parse(readFileSync(asked as string, "utf8")) as Asked;
const result = await answerTo(given).catch((error: Error) => ({ error: error.message }));
writeFileSync(answer as string, JSON.stringify(result));
// Drivers keep threads of their own: the end is said, not waited for.
process.exit(0);
