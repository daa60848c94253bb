#!/usr/bin/env bash
# One would guess that `setp.lt.f32 p, v, 5.0; selp.f32 y, v, 5.0, p;` gives 5 where v is NaN: the comparison is false (PTX ISA, 9.7.8.2), so the
# second value is chosen; and that `abs.f32` never gives -0.
# ptxas 13.0.88 knows a range of values, in which it forgets NaN and the sign of zero:
# - Where v is `neg(abs(x))`, it stores v: it takes the pair for a minimum, and -|x| for less than 5, which a NaN is not. So is it with
#   `-5 < |x| ? |x| : -5`. Neither `min.f32`, `setp.geu`, nor `set.lt.u32.f32` with a comparison of its number does so.
# - `abs` of a selection of |x| and -0 is dropped, so that -0 is stored. With the highest bit cleared by `and.b32` it is not.
# Both were seen on an H200 (driver 580.159): 0x7fffffff in place of 5, and 0x80000000 in place of 0. -O0 has neither.
# Shown without a GPU: the code of the kernel is, byte for byte, that of one without the selection, and of one without `abs`.
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
  .reg .b32 bits;
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
"$ptxas" --version | tail -2 | head -1
for name in copy select least plain magnitude cleared; do echo "$name: $(code "${!name}"), with -O0 $(code "${!name}" -O0)"; done | tee seen
of() { sed -n "s/^$1: \(.*\), with -O0 .*/\1/p" seen; }
without() { sed -n "s/^$1: .*, with -O0 //p" seen; }
[[ $(of select) == "$(of copy)" && $(of least) != "$(of copy)" && $(without select) != "$(without copy)" ]]
[[ $(of magnitude) == "$(of plain)" && $(of cleared) != "$(of plain)" && $(without magnitude) != "$(without plain)" ]]
