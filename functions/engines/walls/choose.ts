import { mkdirSync } from "node:fs";
import { runProgram } from "../io/program.ts";
import { type Enclosure, enclosures, limitsAlone } from "./enclosure.ts";
import type { Isolation } from "./isolation.ts";
import { newPlace } from "./place.ts";

export interface Choice {
  readonly enclosure: Enclosure;
  /** Why better ones cannot be had here, each a sentence. */
  readonly refused: readonly string[];
}

export interface Surroundings {
  /** Of the converters; see {@link newPlace}. */
  readonly scratchFolder: string;
  readonly entry: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const TRY_MS_MAX = 10_000;

/**
 * Tries the enclosures, best first, with Node as what is enclosed.
 *
 * @param offered those to choose from
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

/** @returns why the enclosure cannot be had; undefined when it can */
const whyNot = async (enclosure: Enclosure, surroundings: Surroundings): Promise<string | undefined> => {
  mkdirSync(surroundings.scratchFolder, { recursive: true, mode: 0o700 });
  const place = newPlace(surroundings.scratchFolder);
  try {
    const inside = { folder: place.folder, ...surroundings };
    const [program, ...args] = enclosure.command([process.execPath, "--version"], inside);
    const { code, stderr } = await runProgram({ program, arguments: args, folder: "/", timeoutMs: TRY_MS_MAX });
    return code === 0 ? undefined : stderr.trim().slice(0, REASON_CHARACTERS_MAX) || `it ended with code ${code}`;
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error));
    return message;
  } finally {
    await place.remove();
  }
};
