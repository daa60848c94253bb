// Runs before the tests of each file: another thread observes the process, which keeps it for all files.
import { afterEach, beforeEach, expect } from "vitest";
import { observe } from "./hanging.mjs";

const KEY = Symbol.for("groupwise.hanging");
globalThis[KEY] ??= observe();
globalThis[KEY](expect.getState().testPath);

const fullName = ({ suite, name }) => (suite?.name ? `${fullName(suite)} > ${name}` : name);
beforeEach(({ task }) => globalThis[KEY](`${expect.getState().testPath}: ${fullName(task)}`));

// Tests that await nothing but promises leave the event loop no turn, so that a file of many would look like one that hangs.
const { setImmediate } = globalThis;
afterEach(() => new Promise((resolve) => void setImmediate(resolve)));
