// One of each of the collectives that libraries build on, over the sales of shops. The rows of a shop are consecutive.
import { f32, operators, outputs, pipeline, u32 } from "@groupwise/dsl";

export default pipeline("sales", { shop: u32, price: f32 }, ({ shop, price }, { index }) => {
  const best = operators.argmax(f32).reduce({ value: price, index: index() }); // any operator on records
  const fading = { a: f32(0.9).perItem(), b: price.mul(0.1) };
  return {
    ...outputs({ best }), // best_value, best_index
    trend: operators.affine(f32).scanInclusive(fading).b, // trend[i] = 0.9 trend[i-1] + 0.1 price[i]
    ofShop: price.reduce("add", { keys: shop }), // the total of each item's own segment
    left: price.scanExclusive("add", { keys: shop, reverse: true }), // the later sales of the shop
    stock: u32(1).perItem().scanExclusive("add", { seed: 100 }), // sums begin at 100
  };
});
