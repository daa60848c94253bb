#!/usr/bin/env bash
# One would guess that a stable sort by `thrust::less<float>` leaves 0 and -0 in the order in which they are given, since neither is less than the
# other, and that it does what it does with a function of one's own that is `a < b`.
# Thrust 3.0.1 on the CPU sorts numbers by their bits where the order is `thrust::less` or `greater` itself: with the keys 0, -0, 1, -0, 0 the values 0 to 4
# become 1, 3, 0, 4, 2, and with one's own function 0, 1, 3, 4, 2, as std::stable_sort has them. The OpenMP system sorts so in each thread and merges by
# `<`: the result depends on the number of threads (1, 0, 3, 4, 2 with two), and is neither order.
# Source: thrust/system/detail/sequential/stable_primitive_sort.h, stable_radix_sort.h. PyPI: nvidia-cuda-cccl 13.0.85. Needs python3 with venv, and g++.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --no-compile --retries 1 --only-binary :all: nvidia-cuda-cccl==13.0.85
headers=$(dirname "$(find env -path '*/thrust/version.h')")/..
cat >sort.cpp <<'C'
#include <thrust/functional.h>
#include <thrust/sort.h>
#include <thrust/system/cpp/execution_policy.h>
#include <thrust/system/omp/execution_policy.h>
#include <thrust/version.h>

#include <cstdio>

struct Less {
  bool operator()(float a, float b) const { return a < b; }
};

template <class Policy, class Order> void show(const char *name, Policy policy, Order order) {
  float keys[] = {0, -0.0f, 1, -0.0f, 0};
  int values[] = {0, 1, 2, 3, 4};
  thrust::stable_sort_by_key(policy, keys, keys + 5, values, order);
  std::printf("%s:", name);
  for (int i = 0; i < 5; i++) std::printf(" %d", values[i]);
  std::printf("\n");
}

int main() {
  std::printf("Thrust %d.%d.%d\n", THRUST_MAJOR_VERSION, THRUST_MINOR_VERSION, THRUST_SUBMINOR_VERSION);
  show("C++, thrust::less", thrust::cpp::par, thrust::less<float>());
  show("C++, a < b", thrust::cpp::par, Less());
  show("OpenMP, thrust::less", thrust::omp::par, thrust::less<float>());
  show("OpenMP, a < b", thrust::omp::par, Less());
}
C
g++ -std=c++17 -w -O1 -fopenmp -DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP -I"$headers" sort.cpp -o sort
for threads in 1 2; do
  echo "$threads threads"
  OMP_NUM_THREADS=$threads OMP_DYNAMIC=false ./sort
done | tee seen
diff seen - <<'T'
1 threads
Thrust 3.0.1
C++, thrust::less: 1 3 0 4 2
C++, a < b: 0 1 3 4 2
OpenMP, thrust::less: 1 3 0 4 2
OpenMP, a < b: 0 1 3 4 2
2 threads
Thrust 3.0.1
C++, thrust::less: 1 3 0 4 2
C++, a < b: 0 1 3 4 2
OpenMP, thrust::less: 1 0 3 4 2
OpenMP, a < b: 0 1 3 4 2
T
