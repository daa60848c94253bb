/** Why a part of a model cannot become a part of a pipeline; the error of the import lists all of them. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}
