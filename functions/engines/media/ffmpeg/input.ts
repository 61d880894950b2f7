import type { EngineTask } from "../../core/engine.ts";
import { demuxerOf, opening } from "./demuxers.ts";
import { probe } from "./probe.ts";
import type { Source } from "./source.ts";

/** A probed source and the arguments that open it. */
export interface Input {
  readonly source: Source;
  readonly opening: readonly string[];
}

/** @throws JobError `source_corrupt`, `unsupported_feature` */
export const inputOf = async ({ input, folder, from }: EngineTask): Promise<Input> => {
  if (from === "webp") {
    const { webpInput } = await import("./webp.ts");
    return webpInput(input, folder);
  }
  const source = await probe({ path: input, folder }, from);
  return { source, opening: opening(input, await demuxerOf(input, from)) };
};
