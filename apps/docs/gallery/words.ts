/** Words: the number of the word that each character is in, counted from 1; 0 between words. */
import { pipeline, u8 } from "@groupwise/dsl";

export default pipeline("words", { text: u8 }, ({ text }) => {
  const isLetter = text.ne(32);
  const begins = isLetter.and(text.previous(32).eq(32));
  return { word: isLetter.select(begins.toU32().scanInclusive("add"), 0) };
});
