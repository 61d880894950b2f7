import { mkdirSync } from "node:fs";
import { type Enclosure, enclosures, limitsAlone } from "./enclosure.ts";
import { newSandboxFolder } from "./folder.ts";
import type { Isolation } from "./isolation.ts";
import { type Reached, reachFrom } from "./reach.ts";

export interface Choice {
  readonly enclosure: Enclosure;
  /** Why better ones are unavailable here, one sentence each. */
  readonly refused: readonly string[];
  /** What a program in the sandbox could reach. @default not tried */
  readonly reached?: Reached;
}

export interface Surroundings {
  /** The scratch folder of the converters; see {@link newSandboxFolder}. */
  readonly scratchFolder: string;
  readonly entry: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folders with data of the service. @default none */
  readonly hidden?: readonly string[];
}

/**
 * Tries the sandboxes, best first, by running a program in each that tries to leave it.
 *
 * @param offered the candidates
 */
export const chooseEnclosure = async (
  isolation: Isolation,
  surroundings: Surroundings,
  offered: readonly Enclosure[] = enclosures,
): Promise<Choice> => {
  const refused: string[] = [];
  for (const enclosure of isolation === "none" ? [] : offered) {
    const outcome = await tried(enclosure, surroundings);
    if (typeof outcome !== "string") {
      return { enclosure, refused, reached: outcome };
    }
    refused.push(`${enclosure.name}: ${outcome}`);
  }
  return { enclosure: limitsAlone, refused };
};

/** @returns what can be reached from inside; or, as a sentence, why the sandbox is unavailable */
const tried = async (enclosure: Enclosure, surroundings: Surroundings): Promise<Reached | string> => {
  mkdirSync(surroundings.scratchFolder, { recursive: true, mode: 0o700 });
  const sandbox = newSandboxFolder(surroundings.scratchFolder);
  try {
    const inside = { folder: sandbox.folder, ...surroundings };
    return await reachFrom((inner) => enclosure.command(inner, inside), surroundings);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await sandbox.remove();
  }
};
