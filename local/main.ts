import { setImmediate as nextTurn } from "node:timers/promises";
import { outliveReaders } from "./closed-output.ts";
import { converterFiles } from "./engines/converter-files.ts";
import { sandboxFor } from "./engines/isolation.ts";
import { lockFolder } from "./files/folder-lock.ts";
import { FURTHER } from "./processes/messages.ts";
import { prepareDataDir, readSettings } from "./settings.ts";

/**
 * Starts the service. Another process checks the sandbox, which takes a third of the start, while this one loads the
 * modules of the service.
 */
const main = async (): Promise<void> => {
  const settings = readSettings();
  prepareDataDir(settings);
  const [, , role, processName] = process.argv;
  if (role === FURTHER && processName !== undefined) {
    await (await import("./further.ts")).runFurther(settings, processName);
    return;
  }
  const lock = lockFolder(settings.dataDir);
  const files = converterFiles(settings.dataDir);
  const [sandbox, { runService }] = await Promise.all([
    sandboxFor(settings.isolation, files),
    // Loading blocks the event loop, so the other process starts first, in this turn of it.
    nextTurn().then(() => import("./service.ts")),
  ]);
  await runService({ settings, lock, sandbox, files });
};

outliveReaders(process);
try {
  await main();
} catch (error) {
  console.error(error instanceof Error && !(error instanceof TypeError) ? error.message : error);
  process.exit(1);
}
