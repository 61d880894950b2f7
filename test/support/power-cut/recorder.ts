import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, join } from "node:path";

/**
 * Preloaded into the service (`NODE_OPTIONS=--import=…`): records in the folder `ANYFORM_DISK` what its disk syncs have
 * made permanent, to simulate a power failure at any moment. A sync of a file makes its content permanent, a sync of a
 * folder its names; everything else is lost. SQLite syncs its files itself, and its log is synced by the service.
 */

export interface SyncedFolder {
  readonly path: string;
  /** Inode by name; -1 for a folder. */
  readonly names: Readonly<Record<string, number>>;
}

const FOLDER = -1;
const disk = process.env.ANYFORM_DISK;

const record = (descriptor: number): (() => void) => {
  const path = fs.readlinkSync(`/proc/self/fd/${descriptor}`);
  const stats = fs.fstatSync(descriptor);
  if (stats.isDirectory()) {
    const names = Object.fromEntries(
      fs
        .readdirSync(path, { withFileTypes: true })
        .map((entry) => [entry.name, entry.isDirectory() ? FOLDER : fs.lstatSync(join(path, entry.name)).ino]),
    );
    return () => write(`folder-${stats.ino}.json`, JSON.stringify({ path, names } satisfies SyncedFolder));
  }
  const copies = path.endsWith("-wal") ? [path.slice(0, -"-wal".length), path] : [path];
  const contents = copies.map((copy) => [copy === path ? `/proc/self/fd/${descriptor}` : copy, copy] as const);
  const read = contents.map(([from, name]) => [name, fs.readFileSync(from)] as const);
  return () => {
    for (const [name, content] of read) {
      write(name.includes("anyform.db") ? basename(name) : `file-${stats.ino}`, content);
    }
  };
};

/** Complete under its name, or not there: the service can be killed at any time. */
const write = (name: string, content: Buffer | string): void => {
  const temporary = join(disk ?? "", `.${name}`);
  fs.writeFileSync(temporary, content);
  fs.renameSync(temporary, join(disk ?? "", name));
};

type Done = (error: Error | null) => void;

if (disk !== undefined && process.argv[1]?.endsWith("start.mjs")) {
  for (const name of ["fsync", "fdatasync"] as const) {
    const sync = fs[name];
    // What is written between the start of a sync and its end may be lost, so it is read before.
    const recording = (descriptor: number, done: Done): void => {
      const keep = record(descriptor);
      sync(descriptor, (error) => {
        if (error === null) {
          keep();
        }
        done(error);
      });
    };
    Object.assign(fs, { [name]: recording });
  }
  const { fsyncSync } = fs;
  fs.fsyncSync = (descriptor: number): void => {
    const keep = record(descriptor);
    fsyncSync(descriptor);
    keep();
  };
  syncBuiltinESMExports();
}
