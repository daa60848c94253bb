#!/usr/bin/env bash
# One would guess that std::exclusive_scan with an execution policy may write over its input: "result may be equal to first" (C++20,
# [exclusive.scan]), and that `std::execution::seq` gives what the call without a policy gives.
# libstdc++ 12.2 writes each result before it reads the item there: in place, the sums of 1, 2, 3, 4 from 100 are 100, 200, 400, 800, whatever
# the items are. So are `unseq`, `par`, `par_unseq`, other operators and transform_exclusive_scan. Without a policy, and into another
# array, they are 100, 101, 103, 106, and inclusive_scan is right in place.
# Source: pstl/numeric_impl.h, `__brick_transform_scan`. Debian 12: g++-12 and libstdc++-12-dev 12.2.0-14+deb12u1, x86-64.
# Needs apt-get, dpkg, and the headers and libraries of a C compiler.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q {g++-12,gcc-12,cpp-12,libgcc-12-dev,libstdc++-12-dev}=12.2.0-14+deb12u1 >/dev/null
for package in *.deb; do dpkg -x "$package" root; done
compiler=root/usr/bin/x86_64-linux-gnu-g++-12
"$compiler" --version | head -n 1
cat >scan.cpp <<'C'
#define _GLIBCXX_USE_TBB_PAR_BACKEND 0
#include <cstdio>
#include <execution>
#include <functional>
#include <numeric>
#include <vector>

using Items = std::vector<int>;

void print(const char *name, const Items &x) {
  std::printf("%s: %d %d %d %d\n", name, x[0], x[1], x[2], x[3]);
}

template <class Policy> void show(const char *name, Policy policy) {
  Items in_place{1, 2, 3, 4}, other(4), transformed = in_place, inclusive = in_place;
  std::printf("%s\n", name);
  std::exclusive_scan(policy, in_place.begin(), in_place.end(), other.begin(), 100);
  print("  to another array", other);
  std::exclusive_scan(policy, in_place.begin(), in_place.end(), in_place.begin(), 100);
  print("  in place", in_place);
  auto same = [](int x) { return x; };
  std::transform_exclusive_scan(policy, transformed.begin(), transformed.end(), transformed.begin(), 100, std::plus<>(), same);
  print("  transform, in place", transformed);
  std::inclusive_scan(policy, inclusive.begin(), inclusive.end(), inclusive.begin(), std::plus<>(), 100);
  print("  inclusive, in place", inclusive);
}

int main() {
  Items plain{1, 2, 3, 4};
  std::exclusive_scan(plain.begin(), plain.end(), plain.begin(), 100);
  print("no policy, in place", plain);
  show("seq", std::execution::seq);
  show("unseq", std::execution::unseq);
  show("par", std::execution::par);
}
C
"$compiler" -std=c++20 -O1 scan.cpp -o scan
./scan | tee seen
results="  to another array: 100 101 103 106
  in place: 100 200 400 800
  transform, in place: 100 200 400 800
  inclusive, in place: 101 103 106 110"
diff seen <(printf '%s\n' "no policy, in place: 100 101 103 106" seq "$results" unseq "$results" par "$results")
