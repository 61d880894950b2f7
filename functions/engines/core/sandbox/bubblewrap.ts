import { spawnSync } from "node:child_process";
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, normalize, relative, sep } from "node:path";
import { engineTable, namesOf } from "../../../domain/conversions/engines.ts";
import { INPUT_DESCRIPTOR } from "../input-file.ts";
import { pathsOf } from "../program.ts";
import type { Inside } from "./enclosure.ts";
import { filterIn, inputsIn, jobsIn, temporaryIn } from "./folder.ts";
import { SHARED_MEMORY_BYTES_MAX } from "./limits.ts";
import { isIn, readOnlyMounts } from "./mounts.ts";
import { seccompFilter } from "./seccomp.ts";

/** Symbolic links on systems that keep all programs in /usr, folders on others. */
const ROOTS = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/**
 * Programs, libraries, fonts and their configuration. Only these parts of /etc: it also contains the settings of
 * services.
 */
const SYSTEM = [
  ...["/usr", "/nix/store", "/gnu/store", "/run/current-system", "/home/linuxbrew/.linuxbrew"],
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
 * The command of bwrap(1) up to the converter's: new namespaces of all kinds, no capabilities, a filter for system
 * calls, and only the listed files. Only the converter's folder and a little shared memory are writable.
 */
export const bubblewrapCommand = (inside: Inside): readonly [string, ...string[]] => {
  const { folder } = inside;
  const [temporary, jobs, inputs] = [temporaryIn(folder), jobsIn(folder), inputsIn(folder)];
  const { mounts, seals } = readOnlyMounts(visibleIn(inside), hiddenFrom(inside));
  return [
    ...filtered(folder),
    ...["bwrap", "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--hostname", "converter"],
    ...(disablesNamespaces() ? ["--unshare-user", "--disable-userns"] : []),
    ...(hasFilter ? ["--seccomp", FILTER_DESCRIPTOR] : []),
    ...ROOTS.flatMap(linkedRoot),
    ...["--proc", "/proc", "--dev", "/dev"],
    ...["--size", String(SHARED_MEMORY_BYTES_MAX), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"],
    // Mounted before anything inside /tmp, such as a checkout.
    ...["--bind", temporary, "/tmp"],
    ...mounts,
    ...["--bind", jobs, jobs, "--ro-bind", inputs, inputs, ...seals, "--remount-ro", "/", "--chdir", "/tmp", "--"],
  ];
};

/** Whether this processor has a filter for system calls. */
export const hasFilter = seccompFilter() !== undefined;

/** The next descriptor after those of Node's messages, results and inputs. */
const FILTER_DESCRIPTOR = String(INPUT_DESCRIPTOR + 1);

/** @returns the start of a command whose remainder inherits the filter's descriptor; the shell replaces itself */
const filtered = (folder: string): readonly [string, ...string[]] => [
  "/bin/sh",
  "-c",
  hasFilter ? `exec "$@" ${FILTER_DESCRIPTOR}<"$0"` : 'exec "$@"',
  filterIn(folder),
];

/**
 * Whether this bwrap can disable further user namespaces, which exist since 0.8; the filter refuses to create them, too.
 */
const disablesNamespaces = (): boolean => {
  supportsDisabling ??= spawnSync("bwrap", ["--help"]).stdout?.includes("--disable-userns") ?? false;
  return supportsDisabling;
};
let supportsDisabling: boolean | undefined;

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

const linkedRoot = (path: string): readonly string[] => (isLink(path) ? ["--symlink", readlinkSync(path), path] : []);

const visibleIn = ({ environment, entry }: Inside): readonly string[] => [
  ...ROOTS.filter((path) => !isLink(path)),
  ...SYSTEM,
  ...optionalPrograms(environment),
  ...programs(environment),
  ...codeOf(entry),
];

/** The service's data wherever it is stored, and files of the project that are not the converter's code. */
const hiddenFrom = ({ hidden = [], entry }: Inside): readonly string[] => {
  const { project } = projectOf(entry);
  return project === undefined ? hidden : [...hidden, project];
};

const OPTIONAL = "/opt";

/**
 * @returns the folders in /opt that contain programs: those on the PATH, and those that a link on the PATH leads to.
 * Services are installed there, too, with their settings and data.
 */
const optionalPrograms = (environment: Inside["environment"]): readonly string[] => {
  const started = Object.values(engineTable).flatMap((engine) => ("programs" in engine ? engine.programs : []));
  const paths = started
    .flatMap(namesOf)
    .flatMap(pathsOf)
    .map((path) => realpathSync(path));
  const folders = environment.PATH?.split(delimiter) ?? [];
  const inOptional = [...paths, ...folders].map(normalize).filter((path) => isIn(OPTIONAL, path));
  const tops = inOptional.map((path) => relative(OPTIONAL, path).split(sep)[0] ?? "").filter(Boolean);
  return [...new Set(tops)].map((name) => join(OPTIONAL, name));
};

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

/** @returns the folders above the program, and the one that is its project */
const projectOf = (entry: string) => {
  const path = realpathSync(entry);
  const above = ancestors(path);
  const project = above.find((folder) => lstatSync(join(folder, "package.json"), { throwIfNoEntry: false }));
  return { path, above, project };
};

/**
 * @returns the project folder that contains the program, and the packages in parent folders; never the complete
 * project, since the service's data may be stored in it
 */
const codeOf = (entry: string): readonly string[] => {
  const { path, above, project } = projectOf(entry);
  const [first = "", second] = project === undefined ? [] : relative(project, path).split(sep);
  const own = project === undefined || second === undefined ? dirname(path) : join(project, first);
  return [own, ...above.flatMap((folder) => [join(folder, "package.json"), join(folder, "node_modules")])];
};

const ancestors = (path: string): readonly string[] => {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...ancestors(folder)];
};
