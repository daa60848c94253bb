// Keeps the positive numbers of each work-group, in order, in front of the group's part; returns how many they
// are, their sum, and the first number of the group. A kernel as it is written for OpenCL C 2.0, with one more line.
kernel void compact(
  global const float* x, global float* kept, global int* counts, global float* sums, global float* firsts) {
  GROUPWISE_SCRATCH(128); // the added line; 128 is the largest work-group
  const size_t i = get_global_linear_id();
  const size_t group = get_group_id(0);
  const size_t base = group * get_enqueued_local_size(0);
  const int keep = x[i] > 0.0f;
  if (work_group_any(keep)) {
    const int at = work_group_scan_exclusive_add(keep);
    if (keep) kept[base + at] = x[i];
  }
  const int count = work_group_reduce_add(keep);
  const float sum = work_group_reduce_add(keep ? x[i] : 0.0f);
  const float first = work_group_broadcast(x[i], 0);
  if (get_local_linear_id() == 0) {
    counts[group] = count;
    sums[group] = sum;
    firsts[group] = first;
  }
}
