import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SyncedFolder } from "./recorder.ts";

/** The environment of a service whose disk syncs are recorded. */
export const recorded = (disk: string): Record<string, string> => ({
  ANYFORM_DISK: disk,
  NODE_OPTIONS: `--import=${join(import.meta.dirname, "recorder.ts")}`,
});

/**
 * Writes the data folder as a disk would hold it after a power failure: only names and contents that were synced. A file
 * whose name was synced, but not its content, is empty.
 *
 * @param disk the folder of the recorder
 * @param from the data folder of the service that was killed
 * @param to a new folder
 */
export const afterPowerFailure = (disk: string, from: string, to: string): void => {
  const folders = new Map(
    readdirSync(disk)
      .filter((name) => name.startsWith("folder-"))
      .map((name): [string, SyncedFolder["names"]] => {
        const { path, names } = JSON.parse(readFileSync(join(disk, name), "utf8")) as SyncedFolder;
        return [path, names];
      }),
  );
  const restore = (source: string, target: string): void => {
    mkdirSync(target, { mode: 0o700 });
    for (const [name, inode] of Object.entries(folders.get(source) ?? {})) {
      if (inode === -1) {
        restore(join(source, name), join(target, name));
      } else if (!name.startsWith("anyform.db")) {
        const content = join(disk, `file-${inode}`);
        const bytes = existsSync(content) ? readFileSync(content) : Buffer.alloc(0);
        writeFileSync(join(target, name), name === "reservations" ? fromEarlierBoot(bytes) : bytes, { mode: 0o600 });
      }
    }
  };
  restore(from, to);
  for (const name of ["anyform.db", "anyform.db-wal"]) {
    if (existsSync(join(disk, name))) {
      copyFileSync(join(disk, name), join(to, name));
    }
  }
};

/** The service compares this ID with that of the system, which has not really started again. */
const fromEarlierBoot = (reservations: Buffer): Buffer =>
  Buffer.from(reservations.toString("latin1").replace(/"boot":"[^"]{8}/, '"boot":"00000000'), "latin1");
