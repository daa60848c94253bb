#!/usr/bin/env bash
# One would guess that `setp.lt.f32 p, v, 5.0; selp.f32 y, v, 5.0, p;` gives 5 where v is NaN: the comparison is false (PTX ISA, 9.7.8.2), so the
# second value is chosen; that `abs.f32` never gives -0; and that `setp.lt.s32 p, v, 0;` holds where v is `abs.s32` of -2^31, which is -2^31.
# ptxas 13.0.88 knows a range of values, in which it forgets NaN, the sign of zero and the least integer:
# - Where v is `neg(abs(x))`, it stores v: it takes the pair for a minimum, and -|x| for less than 5, which a NaN is not. So is it with
#   `-5 < |x| ? |x| : -5`. Neither `min.f32`, `setp.geu`, nor `set.lt.u32.f32` with a comparison of its number does so.
# - `abs` of a selection of |x| and -0 is dropped, so that -0 is stored. With the highest bit cleared by `and.b32` it is not.
# - `abs.s32 v, x; setp.lt.s32 p, v, 0;` is false, and so it is for `abs.s64`. NVVM 13.0 (NVRTC) writes `abs.s32` for `x < 0 ? 0u - x : x`, whose
#   unsigned arithmetic wraps, for sm_90 for `(x ^ (x >> 31)) - (x >> 31)`, and for sm_100 for `max(x, 0u - x)`.
# Seen on an H200 (driver 580.159): 0x7fffffff in place of 5, 0x80000000 in place of 0, and false in place of true (32 bits). -O0 has none.
# Shown without a GPU: the code of the kernel is, byte for byte, that of one without the selection, of one without `abs`, and of one that stores 1.
# Needs python3 with venv, and readelf.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv packages
packages/bin/pip install --quiet --disable-pip-version-check --retries 1 nvidia-cuda-nvcc==13.0.88
ptxas=$(find "$PWD/packages" -path "*/cu13/bin/ptxas")
chmod +x "$ptxas"

# The code of a kernel that computes y of |x| in v, as a hash: statements, options
code() {
  cat >kernel.ptx <<PTX
.version 9.0
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 from, .param .u64 to)
{
  .reg .pred p;
  .reg .f32 x, v, w, y;
  .reg .b32 bits, other;
  .reg .b64 wide;
  .reg .u64 in, out;
  ld.param.u64 in, [from];
  ld.param.u64 out, [to];
  ld.global.f32 x, [in];
  abs.f32 v, x;
  $1
  st.global.f32 [out], y;
  ret;
}
PTX
  "$ptxas" -arch=sm_90 "${2:--O3}" kernel.ptx -o kernel.cubin
  readelf --hex-dump=.text.kernel kernel.cubin | sha256sum | cut -c1-16
}
copy="neg.f32 y, v;"
select="neg.f32 v, v; setp.lt.f32 p, v, 0f40A00000; selp.f32 y, v, 0f40A00000, p;"
least="neg.f32 v, v; min.f32 y, v, 0f40A00000;"
either="setp.ne.f32 p, v, 0f80000000; selp.f32 w, v, 0f80000000, p;"
plain="$either mov.f32 y, w;"
magnitude="$either abs.f32 y, w;"
cleared="$either mov.b32 bits, w; and.b32 bits, bits, 0x7fffffff; mov.b32 y, bits;"
# Whether a magnitude is less than 0, of x in bits: 2 where it is
sign="setp.lt.s32 p, bits, 0; selp.b32 bits, 2, 1, p; mov.b32 y, bits;"
never="mov.b32 bits, 1; mov.b32 y, bits;"
sign_of_least="mov.b32 bits, x; abs.s32 bits, bits; $sign"
wide="mov.b32 bits, x; cvt.s64.s32 wide, bits; shl.b64 wide, wide, 32; abs.s64 wide, wide; setp.lt.s64 p, wide, 0; selp.b32 bits, 2, 1, p; mov.b32 y, bits;"
chosen="mov.b32 bits, x; setp.lt.s32 p, bits, 0; neg.s32 other, bits; selp.b32 bits, other, bits, p; $sign"
"$ptxas" --version | tail -2 | head -1
for name in copy select least plain magnitude cleared never sign_of_least wide chosen; do echo "$name: $(code "${!name}"), with -O0 $(code "${!name}" -O0)"; done | tee seen
of() { sed -n "s/^$1: \(.*\), with -O0 .*/\1/p" seen; }
without() { sed -n "s/^$1: .*, with -O0 //p" seen; }
[[ $(of select) == "$(of copy)" && $(of least) != "$(of copy)" && $(without select) != "$(without copy)" ]]
[[ $(of magnitude) == "$(of plain)" && $(of cleared) != "$(of plain)" && $(without magnitude) != "$(without plain)" ]]
[[ $(of sign_of_least) == "$(of never)" && $(of wide) == "$(of never)" && $(of chosen) != "$(of never)" && $(without sign_of_least) != "$(without never)" ]]
