import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { BackupError } from "./backup/backup-error.ts";
import { restoreBackup } from "./backup/restore-backup.ts";
import { writeBackup } from "./backup/write-backup.ts";
import { SettingsError } from "./setting-values.ts";
import { prepareDataDir, readSettings } from "./settings.ts";

/** The operator's commands `npm run backup` and `npm run restore`. */

const USAGE = `Usage: npm run -s backup -- FILE                Writes DATA_DIR to a new tar file. The service can be running.
       npm run -s restore -- FILE [--replace]   Restores it into DATA_DIR. The service must be stopped.

  --replace   if DATA_DIR contains data, move it to DATA_DIR/before-restore-…`;

const main = async (): Promise<void> => {
  const options = { help: { type: "boolean" }, replace: { type: "boolean" } } as const;
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  const [command, file, ...others] = positionals;
  if (values.help) {
    console.log(USAGE);
    return;
  }
  if (file === undefined || others.length > 0) {
    throw new BackupError(`${file === undefined ? "FILE is missing." : "More than one file was given."}\n\n${USAGE}`);
  }
  const settings = readSettings();
  prepareDataDir(settings);
  const [path, { dataDir }] = [resolve(file), settings];
  if (command === "backup") {
    console.log(`${contentOf(await writeBackup(dataDir, path))} of ${dataDir} saved to ${path}.`);
    return;
  }
  const { previous, ...summary } = await restoreBackup(path, dataDir, {
    replace: values.replace === true,
    clock: Date.now,
  });
  console.log(
    `${contentOf(summary)} restored to ${dataDir}.${previous ? ` The previous data is in ${previous}.` : ""}`,
  );
};

const contentOf = ({ files, bytes }: { readonly files: number; readonly bytes: number }): string =>
  `${files} ${files === 1 ? "file" : "files"} (${(bytes / 1_000_000).toFixed(1)} MB)`;

try {
  await main();
} catch (error) {
  const isKnown =
    error instanceof BackupError ||
    error instanceof SettingsError ||
    (error instanceof Error && !(error instanceof TypeError));
  console.error(isKnown ? error.message : error);
  process.exitCode = 1;
}
