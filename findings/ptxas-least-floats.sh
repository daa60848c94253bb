#!/usr/bin/env bash
# One would guess that `cvt.rzi.s32.f32 y, v;` gives 0 where v is 2^-149, the least float (PTX ISA, `cvt`: towards zero).
# ptxas 13.0.88 takes a choice between the bits 1 and 0 for a truth value and forgets that these are those of floats:
# - `selp.f32 v, 0f00000001, 0f00000000, p; cvt.rzi.s32.f32 y, v;` stores 1 where p holds, as if there were no conversion. So is it with the bits of an
#   integer, `selp.b32` and `mov.b32`, and with `cvt` to 64 bits.
# - `cvt.rzi.f32.f32`, `cvt.rmi.f32.f32`, `cvt.f64.f32` and `cvt.rn.f16.f32` of it store 1.0, as do those of a half (2^-24), and of a double (2^-1074) if 32 or
#   16 bits are extended to its 64; `selp.b64` is taken for no truth value.
# - With `.ftz`, which changes no other result, the conversions to 32 bits and `cvt.rzi.f32.f32` stay; that to 64 bits does not.
# A choice is also what such choices and `and`, `or`, `xor`, `abs` make, `neg` of one between -1 and 0, `slct`, and `mov` under a predicate. ptxas does not find one in
# the range of a value (`and` with 1, `shr` by 31, `min` with 1, a byte), but NVVM makes one of x != y, min(x, 1), clz(x) >> 5, x / 0x80000001 and other such.
# Sums, products, square roots, minima and comparisons of such a float are right, and so are those of 2^-149 and -0, of -2^-149, and of larger numbers.
# It does so only where other code of the kernel makes it optimise again, such as a branch around a negation whose result is compared with 0, or a choice between
# 1 and 0 that is compared with 0; at -O1 too, for sm_75 to sm_120. Seen on an H200 (driver 580.159) in one of 100,032 random expressions: i32(min(bits, 1) as f32)
# was 1. An `or` with a word of constant memory, which ptxas does not know, keeps the conversion.
# Shown without a GPU: the code of each kernel is, byte for byte, that of one that stores the choice, or a choice between 1.0 and 0.
# Needs python3 with venv, and readelf.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv packages
packages/bin/pip install --quiet --disable-pip-version-check --retries 1 nvidia-cuda-nvcc==13.0.88
ptxas=$(find "$PWD/packages" -path "*/cu13/bin/ptxas")
chmod +x "$ptxas"

# The code of a kernel that makes these statements, as a hash
code() {
  cat >kernel.ptx <<PTX
.version 9.0
.target sm_90
.address_size 64
.const .b32 zero_word;
.visible .entry kernel(.param .u64 from, .param .u64 to)
{
  .reg .pred p, q;
  .reg .f32 v, w, x, y;
  .reg .b16 h;
  .reg .b32 bits, r, s, t, size;
  .reg .f64 d;
  .reg .b64 l;
  .reg .u64 in, out;
  ld.param.u64 in, [from];
  ld.param.u64 out, [to];
  ld.global.b32 bits, [in];
  setp.ne.s32 p, bits, 77;
  ld.global.b32 t, [in+8];
  ld.global.b32 r, [in+16];
  setp.ne.s32 q, r, 77;
  ld.global.f32 x, [in+24];
  ld.global.f32 y, [in+32];
  $1
  mov.b32 size, t;
  @q bra COMPARE;
  neg.s32 size, t;
COMPARE:
  setp.eq.s32 q, size, 0;
  selp.f32 w, 0f80000000, x, q;
  div.rn.f32 w, y, w;
  ret;
}
PTX
  "$ptxas" -arch=sm_90 kernel.ptx -o kernel.cubin
  readelf --hex-dump=.text.kernel kernel.cubin | sha256sum | cut -c1-16
}
float="selp.f32 v, 0f00000001, 0f00000000, p;"
bits="selp.b32 r, 1, 0, p; mov.b32 v, r;"
word="selp.b32 r, 1, 0, p; st.global.b32 [out], r;"
wide_one="selp.f64 d, 0d3ff0000000000000, 0d0000000000000000, p; st.global.f64 [out], d;"
one="selp.f32 v, 0f3f800000, 0f00000000, p; st.global.f32 [out], v;"
"$ptxas" --version | tail -2 | head -1

fails=0
# A name, statements, and those whose code it has ("its own": that of none)
expect() {
  local got own
  got=$(code "$2")
  for other in word one wide_one; do [ "$got" != "$(code "${!other}")" ] || { got=$other; break; }; done
  case $got in word | *one) own=$got ;; *) own="its own" ;; esac
  case $own in word) is="that of the choice" ;; *one) is="that of a choice between 1.0 and 0" ;; *) is="its own" ;; esac
  echo "$1: the code is $is"
  [ "$own" = "$3" ] || fails=1
}
expect "i32 of a chosen float" "$float cvt.rzi.s32.f32 r, v; st.global.b32 [out], r;" word
expect "i32 of chosen bits" "$bits cvt.rzi.s32.f32 r, v; st.global.b32 [out], r;" word
expect "f64 of chosen bits" "$bits cvt.f64.f32 d, v; st.global.f64 [out], d;" wide_one
expect "trunc of chosen bits" "$bits cvt.rzi.f32.f32 v, v; st.global.f32 [out], v;" one
expect "floor of chosen bits" "$bits cvt.rmi.f32.f32 v, v; st.global.f32 [out], v;" one
expect "f32 of a chosen half" "selp.b16 h, 1, 0, p; cvt.f32.f16 v, h; st.global.f32 [out], v;" one
expect "u32 of a double of chosen bits" "selp.b32 r, 1, 0, p; cvt.u64.u32 l, r; mov.b64 d, l; cvt.rzi.u32.f64 r, d; st.global.b32 [out], r;" word
expect "floor of the negated bits of a signed choice" "selp.b32 r, -1, 0, p; neg.s32 r, r; mov.b32 v, r; cvt.rmi.f32.f32 v, v; st.global.f32 [out], v;" one
expect "floor of a minimum" "min.u32 r, bits, 1; mov.b32 v, r; cvt.rmi.f32.f32 v, v; st.global.f32 [out], v;" "its own"
hidden="selp.b32 r, 1, 0, p; ld.const.b32 s, [zero_word]; or.b32 r, r, s; mov.b32 v, r;"
expect "floor of chosen bits with those of a word" "$hidden cvt.rmi.f32.f32 v, v; st.global.f32 [out], v;" "its own"
expect "i32 with .ftz" "$bits cvt.rzi.ftz.s32.f32 r, v; st.global.b32 [out], r;" "its own"
expect "i32 of a choice between 2^-147 and 0" "selp.b32 r, 4, 0, p; mov.b32 v, r; cvt.rzi.s32.f32 r, v; st.global.b32 [out], r;" "its own"
[ $fails = 0 ] || { echo "changed" >&2; exit 1; }
