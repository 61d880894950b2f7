"""
Runs in Calibre's own Python (calibre-debug -e): loads Calibre once, and makes a process of its own for each book, which
inherits what is loaded (0.1 s for a small book instead of 0.5 s). It reads a line of JSON for each job and answers with
one: how the process ended.

Calibre follows what a book refers to, on disk and on the network. So before it sees a book, the process gives up, by an
audit hook (PEP 578) that cannot be taken off again: to open files outside of the job's folder and of Calibre's own, to
look into other folders, to connect, and to start programs. What is refused looks to Calibre like a file without rights.
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
    """Loads what books need, by converting the smallest there is."""
    from calibre.ebooks.conversion.cli import main

    book = os.path.join(folder, "book.epub")
    # A cover that it makes up would start threads of Qt, which do not come along into other processes.
    for extension, more in (("mobi", []), ("azw3", []), ("fb2", []), ("epub", ["--no-default-epub-cover"])):
        main(["ebook-convert", book, os.path.join(folder, "warm." + extension), *more])
    return main


def own_places():
    """Where Calibre and its Python lie: they load modules and pictures while they work."""
    names = ("resources_location", "extensions_location", "executables_location")
    places = [*sys.path, sys.prefix, sys.base_prefix, *(getattr(sys, name, None) for name in names)]
    own = os.path.dirname(os.path.realpath(__file__))
    found = {os.path.realpath(place) for place in places if place}
    return tuple(place + os.sep for place in found if len(place) > 1 and place != own)


def paths_of(event, arguments):
    """The paths that an event is about, and whether it changes what lies there."""
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
    own = own_places()

    def look(event, arguments):
        if event.startswith(REFUSED):
            raise PermissionError(13, "Not allowed here: " + event)
        paths, writes = paths_of(event, arguments)
        for path in paths:
            # A number is a file that is open already.
            if path is None or isinstance(path, int):
                continue
            real = os.path.realpath(os.fsdecode(path)) + os.sep
            if real.startswith(inside) or (not writes and real.startswith(own)):
                continue
            raise PermissionError(13, "Not allowed here", path)

    sys.addaudithook(look)


def convert(main, job):
    folder = job["folder"]
    log = os.open(os.path.join(folder, "calibre.log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.chdir(folder)
    os.environ["CALIBRE_TEMP_DIR"] = tempfile.tempdir = folder
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (job["bytesMax"], job["bytesMax"]))
    confine(folder)
    main(["ebook-convert", *job["arguments"]])


def run(main, job):
    """Converts in a process of its own. Returns its status, as wait(2) has it."""
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
    # Nothing that is needed lies there any more: the jobs have folders of their own.
    shutil.rmtree(folder, ignore_errors=True)

    def answer(value):
        answers.write(json.dumps(value) + "\n")
        answers.flush()

    answer({})
    for line in sys.stdin:
        job = json.loads(line)
        answer({"status": run(main, job)} if "arguments" in job else {})


serve()
