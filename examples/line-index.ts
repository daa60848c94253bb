// The line index of a text in bytes: the line of each byte, and where each line begins.
import { pipeline, u8 } from "@groupwise/dsl";

export default pipeline("line-index", { text: u8 }, ({ text }, { index }) => {
  const isBreak = text.eq(10);
  const line = isBreak.toU32().scanExclusive("add");
  return {
    line, // line number of every byte
    starts: index().add(1).scatter({ to: line, where: isBreak }), // where each next line begins
    lines: isBreak.toU32().reduce("add"),
  };
});
