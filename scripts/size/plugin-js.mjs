export { default } from "./walk.mjs?groupwise&target=js";
