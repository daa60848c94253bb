// The line index of a text: which line each character stands on, and where each line begins.
import { pipeline, u32 } from "@groupwise/dsl";

export default pipeline("line-index", { text: u32 }, ({ text }, { index }) => {
  const isBreak = text.eq(10);
  const line = isBreak.toU32().scanExclusive("add");
  return {
    line, // line number of every character
    starts: index().add(1).scatter({ to: line, where: isBreak }), // where each next line begins
    lines: isBreak.toU32().reduce("add"),
  };
});
