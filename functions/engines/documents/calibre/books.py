"""Runs in Calibre's Python (calibre-debug -e): loads Calibre once, and forks a process for each
book, which inherits the loaded modules (0.1 s for a small book instead of 0.5 s). Reads a
JSON line per job and responds with a JSON line: the exit status of the process.

Calibre follows the references in a book, on disk and on the network. So before opening a
book, the process installs a permanent audit hook (PEP 578) that forbids opening files outside
the job's folder and Calibre's directories, listing other directories, connecting to the
network and starting programs. To Calibre, a forbidden operation looks like a permission
error.
"""

import json
import os
import resource
import shutil
import sys
import tempfile
import traceback

REFUSED = ("socket.", "subprocess.", "os.exec", "os.system", "os.posix_spawn", "os.fork", "os.kill", "os.link",
           "os.symlink", "ctypes.dlopen", "pty.")
LOOKS = ("os.listdir", "os.scandir")
CHANGES = ("os.remove", "os.rmdir", "os.mkdir", "os.chmod", "os.chown", "os.truncate", "os.utime", "os.rename",
           "sqlite3.connect")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def load(folder):
    """Loads the required modules by converting a minimal book."""
    from calibre.ebooks.conversion.cli import main

    book = os.path.join(folder, "book.epub")
    # Generating a cover would start Qt threads, which do not survive a fork.
    for extension, more in (("mobi", []), ("azw3", []), ("fb2", []), ("epub", ["--no-default-epub-cover"])):
        main(["ebook-convert", book, os.path.join(folder, "warm." + extension), *more])
    return main


def own_directories():
    """The directories of Calibre and its Python, which load modules and images at run time."""
    names = ("resources_location", "extensions_location", "executables_location")
    paths = [*sys.path, sys.prefix, sys.base_prefix, *(getattr(sys, name, None) for name in names)]
    own = os.path.dirname(os.path.realpath(__file__))
    found = {os.path.realpath(path) for path in paths if path}
    return tuple(path + os.sep for path in found if len(path) > 1 and path != own)


def paths_of(event, arguments):
    """The paths that an event affects, and whether it modifies them."""
    if event == "open":
        mode, flags = arguments[1], arguments[2]
        writes = any(letter in mode for letter in "wax+") if isinstance(mode, str) else bool((flags or 0) & WRITING)
        return arguments[:1], writes
    if event in LOOKS:
        return arguments[:1], False
    if event in CHANGES:
        return arguments[: 2 if event == "os.rename" else 1], True
    return (), False


def confine(folder):
    inside = os.path.realpath(folder) + os.sep
    own = own_directories()

    def audit(event, arguments):
        if event.startswith(REFUSED):
            raise PermissionError(13, "Operation not permitted: " + event)
        paths, writes = paths_of(event, arguments)
        for path in paths:
            # An integer is an open file descriptor.
            if path is None or isinstance(path, int):
                continue
            real = os.path.realpath(os.fsdecode(path)) + os.sep
            if real.startswith(inside) or (not writes and real.startswith(own)):
                continue
            raise PermissionError(13, "Operation not permitted", path)

    sys.addaudithook(audit)


def ignore_case(folder):
    """CHM books are made on Windows: the pages name files in another case than the book does, and
    Calibre removes the `../` of the names that it does not find.
    """
    from calibre.ebooks.html.input import Link

    exact = Link.url_to_local_path
    inside = os.path.realpath(folder) + os.sep
    listed = {}

    def names(directory):
        if directory not in listed:
            listed[directory] = {name.lower(): name for name in os.listdir(directory)} if os.path.isdir(directory) else {}
        return listed[directory]

    def spelled(path):
        found = inside
        for name in os.path.relpath(path, inside).split(os.sep):
            found = os.path.join(found, names(found).get(name.lower(), name))
        return found

    def local_path(url, base):
        path = os.path.realpath(exact(url, base))
        below = os.path.realpath(base)
        while not os.path.exists(path) and (below + os.sep).startswith(inside):
            other = spelled(os.path.realpath(exact(url, below)))
            if os.path.exists(other):
                return other
            below = os.path.dirname(below)
        return path

    Link.url_to_local_path = staticmethod(local_path)


def convert(main, job):
    from calibre.ebooks.conversion.plugins.html_input import HTMLInput

    folder = job["folder"]
    log = os.open(os.path.join(folder, "calibre.log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.chdir(folder)
    os.environ["CALIBRE_TEMP_DIR"] = tempfile.tempdir = folder
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (job["bytesMax"], job["bytesMax"]))
    confine(folder)
    # In Debian 12, the reader of CHM does not set the folder that its pages may refer to.
    HTMLInput.root_dir_of_input = os.path.abspath(folder) + os.sep
    ignore_case(folder)
    main(["ebook-convert", *job["arguments"]])


def run(main, job):
    """Converts a book in a forked process. Returns its status, as in wait(2)."""
    pid = os.fork()
    if pid:
        return os.waitpid(pid, 0)[1]
    code = 1
    try:
        convert(main, job)
        code = 0
    except SystemExit as ended:
        code = 1 if ended.code else 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def serve():
    folder = os.environ["CALIBRE_CONFIG_DIRECTORY"]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    main = load(folder)
    sys.stdout.flush()
    # The startup files are no longer needed: each job has its own folder.
    shutil.rmtree(folder, ignore_errors=True)

    def answer(value):
        answers.write(json.dumps(value) + "\n")
        answers.flush()

    answer({})
    for line in sys.stdin:
        job = json.loads(line)
        answer({"status": run(main, job)} if "arguments" in job else {})


serve()
