// Another thread observes the process, for all its files.
import { afterEach, beforeEach, expect } from "vitest";
import { observe } from "./hanging.mjs";

const state = observe();
const fullName = ({ suite, name }) => (suite?.name ? `${fullName(suite)} > ${name}` : name);
const { setImmediate } = globalThis;

export function observeFile() {
  state(expect.getState().testPath);
  beforeEach(({ task }) => state(`${expect.getState().testPath}: ${fullName(task)}`));
  // Tests that await nothing but promises leave the event loop no turn, so that a file of many would look like one that hangs.
  afterEach(() => new Promise((resolve) => void setImmediate(resolve)));
}
