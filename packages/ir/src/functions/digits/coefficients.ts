/**
 * Coefficients of 1, x, x² … as whole numbers: polynomials through the values of a function at Chebyshev nodes, which
 * `ir/test/coefficients.test.ts` computes again from the series of `real.ts`.
 */
const parsed = (text: string): readonly bigint[] =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => (word.startsWith("-") ? -BigInt(`0x${word.slice(1)}`) : BigInt(`0x${word}`)));
/** (e^r - 1) / r for |r| <= 0.34674, of 62 fraction bits. */
export const EXP: readonly bigint[] = /* @__PURE__ */ parsed(`
  4000000000000000 1fffffffffffffff aaaaaaaaaaaaaab 2aaaaaaaaaaab21 88888888888890
  16c16c16c14d58 34034034031fe 6806806b7338 b8ef1d2e548 127e4cc0045
  1ae6424273 23f16d7cf 2c398a74
`);
/** atanh(√u) / √u for u <= 0.0296, of 63 fraction bits. */
export const LOG: readonly bigint[] = /* @__PURE__ */ parsed(`
  8000000000000000 2aaaaaaaaaaaa91b 19999999999f15a6 1249249241b95201 e38e3933e8c238b
  ba2e6d205fdc146 9d90a26a5ff5cb7 87a842c68bc58d6 87e518bf843efa8
`);
/** (atanh(√u) / √u - 1) / u for u <= 0.0296, of 64 fraction bits. */
export const LOG_REST: readonly bigint[] = /* @__PURE__ */ parsed(`
  5555555555555555 3333333333333339 24924924924909ec 1c71c71c71f41141 1745d174369b75e9
  13b13b2697fb9efe 11110b6c91dfe067 f10193aa2d6f7de d5bc7d6d225c3e3 df98f2b40bb71e4
`);
/** sin(√u) / √u for u <= 0.617, of 63 fraction bits. */
export const SIN: readonly bigint[] = /* @__PURE__ */ parsed(`
  8000000000000000 -1555555555555552 11111111111109d -680680680621f 171de3a53130
  -35cc8a4de4 58481f15 -6aa6e3
`);
/** cos(√u) for u <= 0.617, of 63 fraction bits. */
export const COS: readonly bigint[] = /* @__PURE__ */ parsed(`
  8000000000000000 -4000000000000000 555555555555554 -2d82d82d82d813 d00d00d00c22
  -24fc9f6eb01 47bb630ca -64e4b31 6aa6e
`);
/** atan(√u) / √u for u <= 0.0397, of 63 fraction bits. */
export const ATAN: readonly bigint[] = /* @__PURE__ */ parsed(`
  7fffffffffffffff -2aaaaaaaaaaa9e55 1999999999793364 -124924922857e886 e38e37d91205a91
  -ba2e3f795337d89 9d7d0473534cfc7 -87440bc21cf30b9 66e7c151a1950a2
`);
/** erf(√u) / √u for u <= 1, of 62 fraction bits. */
export const ERF_SMALL: readonly bigint[] = /* @__PURE__ */ parsed(`
  48375d410a6db447 -1812746b0379e6c2 738bc86810af868 -1b82ce31288b475 5596f3439a8bba
  -e016da001af8f 1f9a326f7ac5b -3e9a4b7f35e0 6e79b0e3974 -afb9e1df8a
  fe5d9895a -1517ce02f 19a0fcb6 -1b40e7b 13c020
`);
/** erf(c + t) for |t| <= 1/2 and c = 1.5, 2.5 and 3.5, of 62 fraction bits. */
export const ERF: readonly (readonly bigint[])[] = [
  /* @__PURE__ */ parsed(`
  3dd4aaae26f5bf64 79c8dc9ae092a37 -b6ad4ae850dbf53 8e15015f5b55beb -2dab52ba1436fb8
  -f391b935c1252d 13ca3d72c47dca3 -4db5ce9876f156 -26b5c9c72b12a6 1c0380c39858d2
  -185b5f5335158 -42b3be1dd0063 145db07135b82 4b4f56db6e55 -3b1b9e9f8707
  27f558d7cb8 66d951eee15 -168cca574d6 -7041ea9045 3543d41424
  327e91c81 -4b966ae33
`),
  /* @__PURE__ */ parsed(`
  3ff9551e9937d4d8 23b062e1f7edf7 -5938f734ebd2e9 88ced062366588 -8d44dcbe756344
  643a04a0feab3b -2dd9b7ecf930af 8e3085e5cf8a1 4455477cdaad8 -419c5e3209fd2
  14a844858fecc 158bd111f9ac -3b0e4caa23cd 13acdc050e52 c2bdc6703c
  -2b08740a43b c074b78a20 135a0e34ce -1988827489 4bfcd7d52
  148e8211e -a8c1c543
`),
  /* @__PURE__ */ parsed(`
  3ffffce21aacbce5 16a597219a94 -4f4390f59d05 b1667531e586 -11c07721ac7fe
  1586bafc9b989 -146153fb98979 f413fd7d511b -8fb1826f0b34 404d497e0070
  -1377413bcd96 1dd7f3b48a8 1dc7fa8ea4b -143ea5f5e8a 631f789b03
  -6275452f4 -8df77c66d 4552d8a36 -c133cb36 -27777554
  1f18700e -61fc791
`),
];
/** The same for c = 4.5 and 5.5. */
export const ERF_FAR: readonly (readonly bigint[])[] = [
  /* @__PURE__ */ parsed(`
  3fffffffc9f4603a 1f1e3523b -8c07ef20b 199b866564 -36b31968c3 5ac6ebd0cd
  -799438d141 86b3c7d49b -7d7cc6d8e5 634b97af7d -430e90d289 269dd98895
  -12cd5c3b85 791e04679 -263372f47 7fde75e8 -17e2da -102fde62 73013ec
`),
  /* @__PURE__ */ parsed(`
  3fffffffffff7b74 5c962 -1fd398 72c4b9 -131011f 27c9441 -43dba28 6129355
  -770e2e7 7e9ed9d -761dd1c 61638fb -4761d75 2eb6dc6 -1b43861 e0873c
  -68ca8d 30b2c6 -109748
`),
];
