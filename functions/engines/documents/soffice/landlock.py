"""Blocks this process and its children from accessing the machine's files, with Landlock of
Linux 5.13 and later (landlock(7)). It is the second layer of the sandbox; the first is
LibreOffice's settings. Without Landlock, the settings are the only layer, and they do not
cover pictures that are referenced by a drawing within a document, which LibreOffice reads
regardless of its settings.
"""

import ctypes
import os
import struct
import sys

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
PATH_BENEATH = 1
NO_NEW_PRIVILEGES = 38

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR = (1 << bit for bit in range(5))
MAKE_DIR, MAKE_REG, MAKE_SYM = 1 << 7, 1 << 8, 1 << 12
READ = EXECUTE | READ_FILE | READ_DIR
ALL = READ | WRITE_FILE | REMOVE_DIR | MAKE_DIR | MAKE_REG | MAKE_SYM
# Access rights that apply to files that are not directories.
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE

# Programs, libraries, fonts and their configuration, and files that the C library reads.
SYSTEM = [
    *("/usr", "/bin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store", "/gnu/store"),
    *("/etc/fonts", "/etc/libreoffice", "/etc/ld.so.cache", "/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd"),
    *("/etc/group", "/etc/papersize", "/etc/alternatives", "/etc/ssl", "/var/cache/fontconfig", "/var/lib/fonts"),
    *("/etc/locale.alias", "/var/lib/libreoffice", "/var/spool/libreoffice"),
    *("/proc/self", "/proc/meminfo", "/proc/cpuinfo", "/proc/stat", "/proc/mounts", "/proc/filesystems"),
    *("/sys/devices/system",),
]
DEVICES = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/shm"]


def shut_away(folder, program):
    """Restricts the process to its directory, the system's programs and the LibreOffice
    installation.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    handled = struct.pack("<Q", ALL)
    rules = libc.syscall(CREATE_RULESET, handled, len(handled), 0)
    if rules < 0:
        return
    installation = os.path.dirname(os.path.dirname(os.path.realpath(program)))
    home = os.path.expanduser("~")
    fonts = [os.path.join(home, path) for path in (".fonts", ".local/share/fonts", ".cache/fontconfig", ".config/fontconfig")]
    named = [os.environ[name] for name in ("FONTCONFIG_FILE", "FONTCONFIG_PATH") if name in os.environ]
    for path in [*SYSTEM, installation, *fonts, *named]:
        allow(libc, rules, path, READ)
    for path in [folder, *DEVICES]:
        allow(libc, rules, path, ALL)
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    libc.syscall(RESTRICT_SELF, rules, 0)
    os.close(rules)


def allow(libc, rules, path, access):
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(path):
        access &= OF_FILES
    libc.syscall(ADD_RULE, rules, PATH_BENEATH, struct.pack("<Qi", access, handle), 0)
    os.close(handle)
