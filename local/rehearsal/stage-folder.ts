import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { sha256Hex } from "../../functions/domain/ids.ts";
import { MEMORY_FOLDER } from "../../functions/engines/core/input-file.ts";

const NAME_CHARACTERS = 16;

/**
 * Makes the folder for the data of a rehearsal: in memory, since ext4 takes ten times as long for each new file in the
 * minutes after some hundred were deleted, which those of clients would be. What a killed service left there is removed.
 *
 * @param dataDir the data directory of the service, which no other service uses
 * @param otherwise the folder that it is made in if the system has no file system in memory
 */
export const makeStageFolder = async (
  dataDir: string,
  otherwise: string,
  memory: string = MEMORY_FOLDER,
): Promise<string> => {
  const folder = join(memory, `anyform-rehearsal-${sha256Hex(resolve(dataDir)).slice(0, NAME_CHARACTERS)}`);
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    return folder;
  } catch {
    // Not on this system, or not for this user.
    return mkdtemp(join(otherwise, "rehearsal-"));
  }
};
