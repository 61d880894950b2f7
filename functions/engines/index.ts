import type { EngineId } from "../domain/engines.ts";
import type { Engine } from "./engine.ts";

/** The table of engines. None is loaded before a job needs it. */
export const engines: Readonly<Record<EngineId, () => Promise<Engine>>> = {
  sharp: async () => (await import("./sharp.ts")).sharpEngine,
  magick: async () => (await import("./magick.ts")).magickEngine,
};
