"""
Shuts the files of the machine away from this process and all that it starts, by Landlock of Linux 5.13 and later
(landlock(7)). It is a second wall: the first are the settings of LibreOffice, and where there is no Landlock they stand
alone, but for pictures that a drawing within a document names, which LibreOffice reads past them.
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
# What may be asked for a file that is no folder.
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE

# Programs, libraries, fonts and their settings, and what the C library looks at.
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
    """Leaves the process its folder, the system's programs and the installation that the program is of."""
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    handled = struct.pack("<Q", ALL)
    rules = libc.syscall(CREATE_RULESET, handled, len(handled), 0)
    if rules < 0:
        return
    installation = os.path.dirname(os.path.dirname(os.path.realpath(program)))
    home = os.path.expanduser("~")
    fonts = [os.path.join(home, place) for place in (".fonts", ".local/share/fonts", ".cache/fontconfig", ".config/fontconfig")]
    named = [os.environ[name] for name in ("FONTCONFIG_FILE", "FONTCONFIG_PATH") if name in os.environ]
    for place in [*SYSTEM, installation, *fonts, *named]:
        allow(libc, rules, place, READ)
    for place in [folder, *DEVICES]:
        allow(libc, rules, place, ALL)
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    libc.syscall(RESTRICT_SELF, rules, 0)
    os.close(rules)


def allow(libc, rules, place, access):
    try:
        handle = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(place):
        access &= OF_FILES
    libc.syscall(ADD_RULE, rules, PATH_BENEATH, struct.pack("<Qi", access, handle), 0)
    os.close(handle)
