import { chmodSync, closeSync, existsSync, openSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { outageOf, outages, sqliteCodeOf } from "../../../functions/domain/errors/resource-errors.ts";

/** Result codes of SQLite for a damaged file, and for a file of another kind (sqlite.org/rescode.html). */
const [CORRUPT, NOT_A_DATABASE] = [11, 26];

/**
 * Makes the database readable only by its owner. SQLite gives its log the same permissions.
 * @throws Error with instructions if the file is empty, but the folder contains an installation
 */
export const makePrivate = (path: string): void => {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size;
  if (bytes === 0 && existsSync(join(dirname(path), "api-key"))) {
    throw new Error(`The database ${path} is empty, but accounts were created in this folder. ${INSTRUCTIONS}`);
  }
  closeSync(openSync(path, "a", 0o600));
  for (const each of [path, `${path}-wal`, `${path}-shm`]) {
    if (existsSync(each)) {
      chmodSync(each, 0o600);
    }
  }
};

const INSTRUCTIONS =
  "Restore a backup with `npm run restore -- FILE`. To start without the previous accounts and jobs, move the file and " +
  "`api-key` to another folder.";

/** @throws the error of the work; if the file is the cause, an Error with its path and instructions */
export const explained = <T>(path: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    const code = sqliteCodeOf(error);
    const outage = outageOf(error);
    if (code === CORRUPT || code === NOT_A_DATABASE) {
      throw new Error(`The database ${path} is damaged. ${INSTRUCTIONS}`, { cause: error });
    }
    if (outage !== undefined) {
      throw new Error(`The database ${path} cannot be opened. ${outages[outage].detail}`, { cause: error });
    }
    throw error;
  }
};
