import { mkdirSync } from "node:fs";
import { runProgram } from "../program.ts";
import { type Enclosure, enclosures, limitsAlone } from "./enclosure.ts";
import { newSandboxFolder } from "./folder.ts";
import type { Isolation } from "./isolation.ts";

export interface Choice {
  readonly enclosure: Enclosure;
  /** Why better ones are unavailable here, one sentence each. */
  readonly refused: readonly string[];
}

export interface Surroundings {
  /** The scratch folder of the converters; see {@link newSandboxFolder}. */
  readonly scratchFolder: string;
  readonly entry: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const TRY_MS_MAX = 10_000;

/**
 * Tries the sandboxes, best first, by starting Node in each.
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
    const reason = await whyNot(enclosure, surroundings);
    if (reason === undefined) {
      return { enclosure, refused };
    }
    refused.push(`${enclosure.name}: ${reason}`);
  }
  return { enclosure: limitsAlone, refused };
};

const REASON_CHARACTERS_MAX = 200;

/** @returns why the sandbox is unavailable; undefined when it works */
const whyNot = async (enclosure: Enclosure, surroundings: Surroundings): Promise<string | undefined> => {
  mkdirSync(surroundings.scratchFolder, { recursive: true, mode: 0o700 });
  const sandbox = newSandboxFolder(surroundings.scratchFolder);
  try {
    const inside = { folder: sandbox.folder, ...surroundings };
    const [program, ...args] = enclosure.command([process.execPath, "--version"], inside);
    const { code, stderr } = await runProgram({ program, arguments: args, folder: "/", timeoutMs: TRY_MS_MAX });
    return code === 0 ? undefined : stderr.trim().slice(0, REASON_CHARACTERS_MAX) || `exited with code ${code}`;
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error));
    return message;
  } finally {
    await sandbox.remove();
  }
};
