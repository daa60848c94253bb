/** The error code of a file that no array can hold. */
export const TOO_LARGE = "TOO_LARGE";

/** Messages for error codes of the file system. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of its path is a file",
  EACCES: "access is denied",
  EPERM: "access is denied",
  EEXIST: "a file of that name exists",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would be larger than is allowed",
  EROFS: "the file system is read-only",
  ERR_FS_FILE_TOO_LARGE: "it is larger than 2 GiB",
  [TOO_LARGE]: "it is larger than an array can be, or than the free memory",
};

export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ""] ?? message;
}

/** Output that stdout did not accept. `problemOf` reports it as `bad-file`. */
export class OutputFailure extends Error {
  constructor(error: unknown) {
    super(`cannot write there: ${reasonOf(error)}`, { cause: error });
  }
}
