#!/usr/bin/env bash
# One would guess that `selp.f32 v, 0fBF800000, 0f80000000, p;` gives -0 where p does not hold: a selection copies bits (PTX ISA, 9.7.8.3).
# ptxas 13.0.88 takes a choice between -1.0 and -0.0 for that between the integers -1 and 0, as if there were no sign of zero: it converts the latter to a
# float (`SEL`, `I2FP`), which is +0. So is it with `slct`, and with `mov` under a predicate, in either order, from -O1 on, for sm_75 to sm_120.
# A choice between 1.0 and -0.0, between -2.0 and -0.0, of doubles, and `neg.f32` of one between 1.0 and 0.0 are right, and so is `selp.b32` of the same bits.
# NVVM 13.0 (NVRTC) writes `selp.f32` for `c ? -1.0f : -0.0f`, for `-(c ? 1.0f : 0.0f)`, and for `(float)(c ? -1.0 : -0.0)`; it writes `selp.b32` where the bits
# are chosen, `__uint_as_float(c ? 0xbf800000u : 0x80000000u)`.
# Seen on an H200 (driver 580.159) in one of 100,032 random expressions, which has x >= x ? -0 : -1: a result was +0 in place of -0.
# Shown without a GPU: the code of the kernel is, byte for byte, that of one that chooses between -1.0 and +0.
# Needs python3 with venv, and readelf.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv packages
packages/bin/pip install --quiet --disable-pip-version-check --retries 1 nvidia-cuda-nvcc==13.0.88
ptxas=$(find "$PWD/packages" -path "*/cu13/bin/ptxas")
chmod +x "$ptxas"

architecture=sm_90
# The code of a kernel that computes y, as a hash: statements, options
code() {
  cat >kernel.ptx <<PTX
.version 9.0
.target $architecture
.address_size 64
.visible .entry kernel(.param .u64 from, .param .u64 to)
{
  .reg .pred p;
  .reg .f32 y;
  .reg .f64 d;
  .reg .b32 x, bits;
  .reg .u64 in, out;
  ld.param.u64 in, [from];
  ld.param.u64 out, [to];
  ld.global.b32 x, [in];
  setp.lt.s32 p, x, 0;
  $1
  st.global.f32 [out], y;
  ret;
}
PTX
  "$ptxas" -arch="$architecture" "${2:--O3}" kernel.ptx -o kernel.cubin
  readelf --hex-dump=.text.kernel kernel.cubin | sha256sum | cut -c1-16
}
minus_zero="selp.f32 y, 0fBF800000, 0f80000000, p;"
plus_zero="selp.f32 y, 0fBF800000, 0f00000000, p;"
by_sign="slct.f32.s32 y, 0f80000000, 0fBF800000, x;"
by_sign_plus="slct.f32.s32 y, 0f00000000, 0fBF800000, x;"
moved="mov.f32 y, 0f80000000; @p mov.f32 y, 0fBF800000;"
one="selp.f32 y, 0f3F800000, 0f80000000, p;"
one_plus="selp.f32 y, 0f3F800000, 0f00000000, p;"
two="selp.f32 y, 0fC0000000, 0f80000000, p;"
two_plus="selp.f32 y, 0fC0000000, 0f00000000, p;"
negated="selp.f32 y, 0f3F800000, 0f00000000, p; neg.f32 y, y;"
bits="selp.b32 bits, 0xBF800000, 0x80000000, p; mov.b32 y, bits;"
"$ptxas" --version | tail -2 | head -1
for name in minus_zero plus_zero by_sign by_sign_plus moved one one_plus two two_plus negated bits; do echo "$name: $(code "${!name}"), with -O0 $(code "${!name}" -O0)"; done | tee seen
of() { sed -n "s/^$1: \(.*\), with -O0 .*/\1/p" seen; }
without() { sed -n "s/^$1: .*, with -O0 //p" seen; }
[[ $(of minus_zero) == "$(of plus_zero)" && $(without minus_zero) != "$(without plus_zero)" ]]
[[ $(of by_sign) == "$(of by_sign_plus)" && $(of moved) == "$(of plus_zero)" ]]
[[ $(of one) != "$(of one_plus)" && $(of two) != "$(of two_plus)" && $(of negated) != "$(of plus_zero)" && $(of bits) != "$(of plus_zero)" ]]
for architecture in sm_75 sm_80 sm_89 sm_100 sm_120; do [[ $(code "$minus_zero") == "$(code "$plus_zero")" && $(code "$minus_zero" -O1) == "$(code "$plus_zero" -O1)" ]]; done
