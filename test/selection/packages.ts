/** A row of `packages` in package-lock.json. */
interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

type Locked = Readonly<Record<string, LockedPackage>>;

/**
 * @param before text of package-lock.json at the base, undefined if it did not exist
 * @returns names of the packages whose version differs, and of all packages that depend on them
 */
export const changedPackages = (before: string | undefined, now: string): ReadonlySet<string> => {
  const [old, locked] = [lockedIn(before ?? "{}"), lockedIn(now)];
  const paths = new Set([...Object.keys(old), ...Object.keys(locked)]);
  const changed = [...paths].filter((path) => path !== "" && versionOf(old[path]) !== versionOf(locked[path]));
  const dependents = dependentsIn(locked);
  const found = new Set<string>();
  const waiting = changed.map(nameOf);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (!found.has(name)) {
      found.add(name);
      waiting.push(...(dependents.get(name) ?? []));
    }
  }
  return found;
};

const lockedIn = (text: string): Locked => JSON.parse(text).packages ?? {};

const versionOf = (row: LockedPackage | undefined): string =>
  [row?.version, row?.integrity, row?.resolved?.split("/").at(-1)].join();

/** @returns the name of a package at `node_modules/a/node_modules/@b/c` */
const nameOf = (path: string): string => path.split("node_modules/").at(-1) ?? path;

const dependentsIn = (locked: Locked): ReadonlyMap<string, readonly string[]> => {
  const dependents = new Map<string, string[]>();
  for (const [path, { dependencies, optionalDependencies, peerDependencies }] of Object.entries(locked)) {
    if (path !== "") {
      for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
        dependents.set(name, [...(dependents.get(name) ?? []), nameOf(path)]);
      }
    }
  }
  return dependents;
};
