/** Names of a pipeline as names of Python: an underscore follows what Python or the module needs. No name of a pipeline begins or ends with one. */

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const KEYWORDS = wordsOf(`
  False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield
`);

/** Modules of Python and of libraries of arrays and what they import, which a file of this name would hide. */
const MODULES = wordsOf(`
  abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect
  builtins bz2 calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent
  configparser contextlib contextvars copy copyreg cprofile crypt csv ctypes curses dataclasses datetime dbm
  decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp
  fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip
  hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword
  lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt
  multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib
  pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd
  py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy
  sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd
  sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau
  symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit
  tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata
  unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp
  zipfile zipimport zlib zoneinfo
  annotationlib compression cupy jax jaxlib ml_dtypes numba numpy pandas scipy setuptools sitecustomize torch
  typing_extensions usercustomize
`);

/** Arguments that `run` has besides the values of a pipeline, in modules of one backend or another: a pipeline's names are the same in all. */
const OPTIONS = wordsOf("size offset queue stream");

/** The name of an output. */
export const nameInPython = (name: string): string => (KEYWORDS.has(name) ? `${name}_` : name);

/** The name of an argument of `run`. */
export const argumentInPython = (name: string): string =>
  OPTIONS.has(name) ? `${name}_` : nameInPython(name);

/** The name of a pipeline's module: `line_index`, from `line-index`. @param more modules that it imports */
export function moduleOf(pipeline: string, more: readonly string[]): string {
  const name = pipeline.replaceAll("-", "_");
  const isTaken = MODULES.has(name.toLowerCase()) || more.includes(name.toLowerCase());
  return isTaken || KEYWORDS.has(name) ? `${name}_` : name;
}
