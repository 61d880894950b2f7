import { closeSync, copyFileSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { EngineId } from "../../../../functions/domain/conversions/engines.ts";
import type { FormatId } from "../../../../functions/domain/formats/formats.ts";
import { convert } from "../../../../functions/engines/core/convert.ts";

/**
 * `node full-disk.ts FILE FROM TO ENGINE` in `TMPDIR`, a small disk: converts the file, and again after the disk is
 * full. Prints both results: `done`, or the error code.
 */

const place = process.env.TMPDIR ?? "";
const [file = "", from = "", to = "", engine = ""] = process.argv.slice(2);
const steps = [{ engine: engine as EngineId, from: from as FormatId, to: to as FormatId, options: [] }];
const input = join(place, `input.${from}`);
copyFileSync(file, input);
// Like a converter, keep the process busy so that it waits for the program's output.
setInterval(() => {}, 1_000);

const converted = async (name: string): Promise<string> => {
  const folder = join(place, `${engine}-${name}`);
  mkdirSync(folder);
  return convert({ input, folder, steps, options: {} }, () => {}).then(
    () => "done",
    (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "unexpected"),
  );
};

const fill = (path: string): void => {
  const ballast = openSync(path, "w");
  try {
    for (;;) {
      writeSync(ballast, Buffer.alloc(100_000));
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) {
      throw error;
    }
  } finally {
    closeSync(ballast);
  }
};

console.log(await converted("calm"));
fill(join(place, "ballast"));
console.log(await converted("full"));
rmSync(join(place, "ballast"), { force: true });
process.exit(0);
