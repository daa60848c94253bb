/** Fixed text of emitted programs: raw and .npy files, read and written by all ranks together. */
export const FILES = `
// An array in a file: raw little-endian elements, or NumPy's .npy of one dimension.
struct file {
  const char *name, *descr; // descr: the element type in .npy
  uint64_t bytes; // of an element
  bool per_item; // an element for each item
  bool appended; // the elements that some items append; otherwise one element for the whole range
  const char *path; // NULL if it is not given
  uint64_t items;
  MPI_Offset start; // of the elements
  MPI_File file;
  bool open;
  void *array;
  uint64_t room, length; // of appended elements: that the array has room for, and those of a chunk
  uint64_t at; // the position in the file of the next element that this rank appends
};

static bool ends_in_npy(const char *path) {
  const size_t length = strlen(path);
  return length >= 4 && strcmp(path + length - 4, ".npy") == 0;
}

// The element type, the order and the length of a .npy file, as NumPy writes them.
static void read_head(struct file *f, const char *head, uint64_t size) {
  const size_t length = (unsigned char)head[8] | (size_t)(unsigned char)head[9] << 8;
  char want[64];
  snprintf(want, sizeof want, "'descr': '%s'", f->descr);
  if (head[6] != 1 || length + 10 >= HEAD) fail("%s: only .npy files of version 1 are read", f->path);
  else if (strstr(head + 10, want) == NULL) fail("%s: its elements are not %s", f->path, f->descr);
  else if (strstr(head + 10, "'fortran_order': False") == NULL) fail("%s: it is not in C order", f->path);
  else {
    const char *shape = strstr(head + 10, "'shape': (");
    char *end = NULL;
    if (shape != NULL) f->items = strtoull(shape + 10, &end, 10);
    if (end == NULL || strncmp(end, ",)", 2) != 0) fail("%s: it has not one dimension", f->path);
    f->start = (MPI_Offset)(length + 10);
    if (f->items > (size - length - 10) / f->bytes) fail("%s: it is cut short", f->path);
  }
}

// Opens a file and reads its length.
static bool open_input(struct file *f) {
  const int error = MPI_File_open(MPI_COMM_WORLD, f->path, MPI_MODE_RDONLY, MPI_INFO_NULL, &f->file);
  if (error != MPI_SUCCESS) fail_in(f->path, "it cannot be opened", error);
  if (!fine()) return false;
  f->open = true;
  MPI_Offset size = 0;
  MPI_File_get_size(f->file, &size);
  f->items = (uint64_t)size / f->bytes;
  char head[HEAD + 1] = "";
  if (rank == 0) {
    const int length = size < HEAD ? (int)size : HEAD;
    const int failed = MPI_File_read_at(f->file, 0, head, length, MPI_BYTE, MPI_STATUS_IGNORE);
    if (failed != MPI_SUCCESS) fail_in(f->path, "it cannot be read", failed);
    if (size >= 10 && memcmp(head, MAGIC, 6) == 0) read_head(f, head, (uint64_t)size);
    else if ((uint64_t)size % f->bytes != 0) fail("%s: its bytes are not whole elements", f->path);
  }
  uint64_t found[2] = {f->items, (uint64_t)f->start};
  MPI_Bcast(found, 2, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  f->items = found[0];
  f->start = (MPI_Offset)found[1];
  return fine();
}

// Reads elements, fewer than 2^31 bytes. All ranks call it, also for no elements.
static void read_items(struct file *f, uint64_t from, uint64_t count, char *array) {
  MPI_Status status;
  int got = 0;
  const MPI_Offset at = f->start + (MPI_Offset)(from * f->bytes);
  const int bytes = (int)(count * f->bytes);
  const int error = MPI_File_read_at_all(f->file, at, array, bytes, MPI_BYTE, &status);
  if (error != MPI_SUCCESS) fail_in(f->path, "it cannot be read", error);
  else if (MPI_Get_count(&status, MPI_BYTE, &got) != MPI_SUCCESS || got != bytes) fail("%s: it is cut short", f->path);
}

static void part_of(const struct file *f, char *path, size_t size) {
  if (snprintf(path, size, "%s.part", f->path) >= (int)size) fail("%s: its name is too long", f->path);
}

// Rank 0 writes the header of a .npy file, which has room for any number of elements.
static void write_head(struct file *f, uint64_t items) {
  char head[NPY_BYTES], text[NPY_BYTES - 10];
  if (rank != 0 || !ends_in_npy(f->path)) return;
  memset(head, ' ', sizeof head);
  memcpy(head, MAGIC "\\1\\0\\166\\0", 10);
  const char *format = "{'descr': '%s', 'fortran_order': False, 'shape': (%" PRIu64 ",), }";
  memcpy(head + 10, text, (size_t)snprintf(text, sizeof text, format, f->descr, items));
  head[sizeof head - 1] = '\\n';
  const int failed = MPI_File_write_at(f->file, 0, head, (int)sizeof head, MPI_BYTE, MPI_STATUS_IGNORE);
  if (failed != MPI_SUCCESS) fail_in(f->path, "it cannot be written", failed);
}

// Removes what another program left under the temporary name; a link would be followed.
static void clear_output(const struct file *f) {
  char path[PATH_SIZE];
  part_of(f, path, sizeof path);
  if (rank == 0) remove(path);
}

// Makes the file under a temporary name, which it has until all files are complete.
static bool open_output(struct file *f) {
  char path[PATH_SIZE];
  part_of(f, path, sizeof path);
  FILE *const found = rank == 0 ? fopen(path, "rb") : NULL;
  if (found != NULL) fail("%s: two outputs have this file", f->path);
  if (found != NULL) fclose(found);
  if (!fine()) return false;
  const int mode = MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY;
  const int error = MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &f->file);
  if (error != MPI_SUCCESS) fail_in(path, "it cannot be made", error);
  if (!fine()) return false;
  f->open = true;
  if (ends_in_npy(f->path)) f->start = NPY_BYTES;
  return true;
}

// Each rank writes on its own: collective writes of Open MPI 4 report success on a full disk.
static void write_items(struct file *f, uint64_t from, uint64_t count) {
  MPI_Status status;
  int got = 0;
  const MPI_Offset at = f->start + (MPI_Offset)(from * f->bytes);
  const int bytes = (int)(count * f->bytes);
  const int error = MPI_File_write_at(f->file, at, f->array, bytes, MPI_BYTE, &status);
  if (error != MPI_SUCCESS) fail_in(f->path, "it cannot be written", error);
  else if (MPI_Get_count(&status, MPI_BYTE, &got) != MPI_SUCCESS || got != bytes) fail("%s: there is no room for it", f->path);
}

// Closes all files. Outputs get their final names if no rank has a problem, and are removed otherwise.
static bool close_all(struct file *files, int count, bool are_outputs, bool is_well) {
  for (int i = 0; i < count; i++) {
    if (!files[i].open) continue;
    const int error = MPI_File_close(&files[i].file);
    if (error != MPI_SUCCESS) fail_in(files[i].path, "it cannot be closed", error);
  }
  if (is_well) is_well = fine();
  if (rank != 0 || !are_outputs) return is_well;
  for (int i = 0; i < count; i++) {
    char path[PATH_SIZE];
    if (files[i].path == NULL || !files[i].open) continue;
    part_of(&files[i], path, sizeof path);
    if (!is_well) remove(path);
    else if (rename(path, files[i].path) != 0) fail("%s: %s", files[i].path, strerror(errno));
  }
  return is_well;
}
`;
