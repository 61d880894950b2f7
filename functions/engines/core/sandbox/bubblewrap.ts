import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, normalize, relative, sep } from "node:path";
import type { Inside } from "./enclosure.ts";
import { inputsIn, jobsIn, temporaryIn } from "./folder.ts";
import { SHARED_MEMORY_BYTES_MAX } from "./limits.ts";

/** Symbolic links on systems that keep all programs in /usr, folders on others. */
const ROOTS = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/**
 * Programs, libraries, fonts and their configuration. Only these parts of /etc: it also contains the settings of
 * services.
 */
const SYSTEM = [
  ...["/usr", "/opt", "/nix/store", "/gnu/store", "/run/current-system", "/home/linuxbrew/.linuxbrew"],
  ...["/etc/fonts", "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime"],
  ...[
    "/etc/locale.alias",
    "/etc/locale.conf",
    "/etc/mime.types",
    "/etc/papersize",
    "/etc/magic",
    "/etc/ssl/openssl.cnf",
  ],
  ...["/etc/libreoffice", "/etc/chromium", "/etc/chromium.d", "/etc/opt/chrome", "/etc/python3", "/etc/ImageMagick-6"],
  ...["/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/machine-id"],
  ...["/var/cache/fontconfig", "/var/lib/fonts", "/var/lib/libreoffice", "/var/spool/libreoffice"],
  ...["/sys/devices/system", "/sys/fs/cgroup"],
];

/**
 * The arguments of bwrap(1) up to the command: new namespaces of all kinds, no capabilities, and only the listed files.
 * Only the converter's folder and a little shared memory are writable.
 */
export const bubblewrapCommand = ({ folder, entry, environment }: Inside): readonly string[] => {
  const [temporary, jobs, inputs] = [temporaryIn(folder), jobsIn(folder), inputsIn(folder)];
  return [
    ...["--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--hostname", "converter"],
    ...ROOTS.flatMap(rootOf),
    ...SYSTEM.flatMap(readOnly),
    ...["--proc", "/proc", "--dev", "/dev"],
    ...["--size", String(SHARED_MEMORY_BYTES_MAX), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"],
    // Mounted before anything inside /tmp, such as a checkout.
    ...["--bind", temporary, "/tmp"],
    ...[...programs(environment), ...codeOf(entry)].flatMap(readOnly),
    ...["--bind", jobs, jobs, "--ro-bind", inputs, inputs, "--remount-ro", "/", "--chdir", "/tmp", "--"],
  ];
};

const readOnly = (path: string): readonly string[] => ["--ro-bind-try", path, path];

const rootOf = (path: string): readonly string[] =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
    ? ["--symlink", readlinkSync(path), path]
    : readOnly(path);

/** Variables that contain paths, most of them several. */
const NAMING = ["PATH", "NODE_PATH", "LD_LIBRARY_PATH", "NODE_COMPILE_CACHE", "FONTCONFIG_FILE", "FONTCONFIG_PATH"];

/** @returns Node itself, and the paths from the environment that are not mounted yet */
const programs = (environment: Inside["environment"]): readonly string[] => {
  const named = NAMING.flatMap((name) => environment[name]?.split(delimiter) ?? []).filter(isMountable);
  return [realpathSync(process.execPath), process.execPath, ...new Set(named)];
};

/** The root is excluded: mounting it would expose everything. */
const isMountable = (path: string): boolean =>
  isAbsolute(path) && normalize(path) !== "/" && ![...SYSTEM, ...ROOTS].some((folder) => isIn(folder, path));

/**
 * @returns the project folder that contains the program, and the packages in parent folders; never the complete
 * project, since the service's data may be stored in it
 */
const codeOf = (entry: string): readonly string[] => {
  const path = realpathSync(entry);
  const above = ancestors(path);
  const project = above.find((folder) => lstatSync(join(folder, "package.json"), { throwIfNoEntry: false }));
  const [first = "", second] = project === undefined ? [] : relative(project, path).split(sep);
  const own = project === undefined || second === undefined ? dirname(path) : join(project, first);
  return [own, ...above.flatMap((folder) => [join(folder, "package.json"), join(folder, "node_modules")])];
};

const ancestors = (path: string): readonly string[] => {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...ancestors(folder)];
};

const isIn = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}${sep}`);
