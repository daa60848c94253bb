#!/usr/bin/env bash
# One would guess that `setp.lt.f32 p, v, 5.0; selp.f32 y, v, 5.0, p;` gives 5 where v is NaN: the comparison is false (PTX ISA, 9.7.8.2), so the
# second value is chosen.
# ptxas 13.0.88 stores v where it knows that v is `neg(abs(x))`: it takes the pair for a minimum, and then -|x| for less than 5, which a NaN is not.
# So `-|x| < 5 ? -|x| : 5` is NaN for NaN; on an H200 (driver 580.159) it is 0x7fffffff. The same holds for `-5 < |x| ? |x| : -5`. Neither
# `min.f32`, `setp.geu`, nor `set.lt.u32.f32` with a comparison of its number does so. -O0 does not either.
# Shown without a GPU: the code of the kernel is that of one which stores -|x|, byte for byte.
# Needs python3 with venv, and readelf.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv packages
packages/bin/pip install --quiet --disable-pip-version-check --retries 1 nvidia-cuda-nvcc==13.0.88
ptxas=$(find "$PWD/packages" -path "*/cu13/bin/ptxas")
chmod +x "$ptxas"

# The code of a kernel that computes y of x, as a hash: statements, options
code() {
  cat >kernel.ptx <<PTX
.version 9.0
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 from, .param .u64 to)
{
  .reg .pred p;
  .reg .f32 x, v, y;
  .reg .u32 holds;
  .reg .u64 in, out;
  ld.param.u64 in, [from];
  ld.param.u64 out, [to];
  ld.global.f32 x, [in];
  abs.f32 v, x;
  neg.f32 v, v;
  $1
  st.global.f32 [out], y;
  ret;
}
PTX
  "$ptxas" -arch=sm_90 "${2:--O3}" kernel.ptx -o kernel.cubin
  readelf --hex-dump=.text.kernel kernel.cubin | sha256sum | cut -c1-16
}
copy="mov.f32 y, v;"
select="setp.lt.f32 p, v, 0f40A00000; selp.f32 y, v, 0f40A00000, p;"
least="min.f32 y, v, 0f40A00000;"
number="set.lt.u32.f32 holds, v, 0f40A00000; setp.ne.u32 p, holds, 0; selp.f32 y, v, 0f40A00000, p;"
"$ptxas" --version | tail -2 | head -1
for name in copy select least number; do echo "$name: $(code "${!name}")"; done | tee seen
echo "copy and select with -O0: $(code "$copy" -O0), $(code "$select" -O0)" | tee -a seen
of() { sed -n "s/^$1: //p" seen; }
[[ $(of select) == "$(of copy)" && $(of least) != "$(of copy)" && $(of number) != "$(of copy)" ]]
[[ $(code "$copy" -O0) != "$(code "$select" -O0)" ]]
