"""Keeps one LibreOffice running for the engine. Reads tasks as JSON lines from standard input,
and writes each result as a JSON line. It exits with its parent, and LibreOffice exits with
it.

sidecar.py <program of LibreOffice> <settings, a registrymodifications.xcu> <fontconfig file> <font>...
"""

import contextlib
import ctypes
import glob
import hashlib
import html
import importlib.util
import json
import os
import queue
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from urllib.parse import quote

from fontconfig import own_fonts
from landlock import shut_away

START_SECONDS_MAX = 60
END_SECONDS_MAX = 2
# The exit code if this Python cannot communicate with LibreOffice.
NO_BRIDGE = 3
PR_SET_PDEATHSIG = 1
# LibreOffice exits with this code when it has created a new profile and must be restarted.
RESTART = 81
# Path prefixes of the sockets of this user's LibreOffice processes.
PIPES = [f"{directory}/OSL_PIPE_{os.getuid()}" for directory in ("/tmp", "/var/tmp")]


def main(program, settings, fontconfig, *fonts):
    if importlib.util.find_spec("uno") is None:
        raise SystemExit(NO_BRIDGE)
    # Other output to standard output must not mix with the responses.
    answers = os.fdopen(os.dup(1), "w", encoding="utf8")
    os.dup2(2, 1)
    folder = tempfile.mkdtemp(prefix="anyform-office-")
    remove_dead_pipes()
    mark_as_started(folder, program)
    environment = own_fonts(fontconfig, fonts, folder, program)
    office = Office(program, settings, environment, folder, remove_when_gone([folder, *pipes_of(folder)]))
    tasks = queue.Queue()
    threading.Thread(target=read_tasks, args=(tasks, office), daemon=True).start()
    # LibreOffice starts while the modules of its bridge are loaded.
    try:
        from tasks import Tasks
    except ImportError:
        office.end()
        raise SystemExit(NO_BRIDGE) from None
    done = Tasks(office, folder)
    remove(pipes_of(folder))

    def answer(**what):
        print(json.dumps(what), file=answers, flush=True)

    answer(pid=office.process.pid, version=done.version())
    while True:
        answer(**done.answer(tasks.get()))


class Office:
    """LibreOffice with a separate read-only profile, reachable through a separate pipe."""

    def __init__(self, program, settings, environment, folder, remover):
        self.folder = folder
        self.remover = remover
        self.environment = environment
        self.restricted = True
        self.late = time.monotonic() + START_SECONDS_MAX
        self.pipe = os.path.basename(folder)
        self.command = [
            program,
            "--headless",
            "--invisible",
            "--nodefault",
            "--nofirststartwizard",
            "--nolockcheck",
            "--nologo",
            "--norestore",
            f"--accept=pipe,name={self.pipe};urp",
            f"-env:UserInstallation={url_of(folder)}",
            # The default settings, then ours as read-only (`*`), without any installable extensions.
            "-env:CONFIGURATION_LAYERS=xcsxcu:${BRAND_BASE_DIR}/${BRAND_SHARE_SUBDIR}/registry"
            f" res:${{BRAND_BASE_DIR}}/${{BRAND_SHARE_SUBDIR}}/registry user:*{url_of(own_settings(settings, folder, program))}",
        ]
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            # All temporary files are created in the directory that is removed with it.
            env={**os.environ, **self.environment, "TMPDIR": self.folder, "SAL_USE_VCLPLUGIN": "svp"},
            preexec_fn=self.restrict,
            # The remover waits until LibreOffice has exited as well, because it would write there again.
            pass_fds=(self.remover.stdin.fileno(),),
        )

    def restrict(self):
        """Runs in the new process, before LibreOffice."""
        die_with_parent()
        if self.restricted:
            shut_away(self.folder, self.command[0])

    def keep_starting(self):
        """Starts it again if it needs that. @return whether it may still answer in time"""
        if self.process.poll() == RESTART:
            self.start()
        elif not self.is_alive() and self.restricted and not self.was_killed():
            # The system's files are in unknown locations, so only the settings provide the sandbox.
            self.restricted = False
            self.start()
        return self.is_alive() and time.monotonic() < self.late

    def is_alive(self):
        return self.process.poll() is None

    def was_killed(self):
        """@return whether a signal from outside ended it; LibreOffice turns its own crashes into exit codes"""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(END_SECONDS_MAX) in (-signal.SIGKILL, -signal.SIGTERM)
        return False

    def end(self):
        self.process.kill()
        self.process.wait()


def url_of(path):
    """@return the URL of a file as LibreOffice writes it (rtl_UriCharClassPchar)"""
    return "file://" + quote(path, safe="/!$&'()*+,-.:=@_~")


def own_settings(settings, folder, program):
    """@return the path of the settings that allow this LibreOffice to read files only in this
    directory
    """
    path = os.path.join(folder, "settings.xcu")
    installation = os.path.dirname(os.path.dirname(os.path.realpath(program)))
    paths = {"FOLDER": folder, "INSTALLATION": installation}
    with open(settings, encoding="utf8") as source, open(path, "w", encoding="utf8") as target:
        text = source.read()
        for name, location in paths.items():
            text = text.replace(f"{name}/", html.escape(f"{url_of(location)}/"))
        target.write(text)
    return path


def mark_as_started(folder, program):
    """Writes the file by which LibreOffice recognizes a profile that its version has used. Otherwise it
    removes the extensions of other versions and starts again, which takes half a second
    (desktop/source/app/app.cxx).
    """
    with contextlib.suppress(OSError):
        with open(os.path.join(os.path.dirname(os.path.realpath(program)), "versionrc"), encoding="utf8") as file:
            found = re.search(r"^buildid=(.+)$", file.read(), re.MULTILINE)
        if found:
            extensions = os.path.join(folder, "user", "extensions")
            os.makedirs(extensions)
            with open(os.path.join(extensions, "buildid"), "w", encoding="utf8") as file:
                file.write(found[1])


def read_tasks(tasks, office):
    """Runs in a separate thread, so that the end of the input is detected while LibreOffice is
    working.
    """
    for line in sys.stdin:
        tasks.put(json.loads(line))
    office.end()
    os._exit(0)


def die_with_parent():
    """Linux only. On other systems, the process group and the end of the input must suffice."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def pipes_of(folder):
    """@return the candidate paths of the two sockets of a LibreOffice with this profile. They are in
    /tmp, or in /var/tmp if /tmp is not writable, regardless of TMPDIR (sal/osl/unx/pipe.cxx;
    OSL_SOCKET_PATH is consulted after both). Once connected, nobody needs the names, so they are
    removed immediately: a process tree that is killed later leaves none.
    """
    url = url_of(folder).encode("utf-16-le")
    # The pipe by which a second LibreOffice finds the first: the hex digits of each byte, without
    # leading zeros.
    single = "".join(f"{byte:x}" for byte in hashlib.md5(url, usedforsecurity=False).digest())
    pipes = (os.path.basename(folder), f"SingleOfficeIPC_{single}")
    return [f"{start}_{pipe}" for start in PIPES for pipe in pipes]


def remove_dead_pipes():
    """Removes the sockets of this user's LibreOffice processes that were killed during startup:
    nothing listens on them.
    """
    for path in (path for start in PIPES for path in glob.glob(f"{start}_*")):
        try:
            if time.time() - os.stat(path).st_mtime > START_SECONDS_MAX:
                with socket.socket(socket.AF_UNIX) as caller:
                    caller.connect(path)
        except ConnectionRefusedError:
            remove([path])
        except OSError:
            # It has just been removed, or is not our socket.
            pass


def remove(paths):
    for path in paths:
        with contextlib.suppress(OSError):
            os.remove(path)


def remove_when_gone(paths):
    """Starts a shell that removes the paths when this process and all processes that inherited the
    shell's input have exited, however they ended. The shell is outside the process group, which
    is killed as a unit, and exits as soon as its input closes.
    """
    return subprocess.Popen(
        ["/bin/sh", "-c", 'cat; exec rm -rf -- "$@"', "sh", *paths],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=os.setpgrp,
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
