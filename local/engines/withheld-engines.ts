import { type EngineId, engineIds, runScripts } from "../../functions/domain/conversions/engines.ts";
import type { Settings } from "../settings.ts";
import type { Sandbox } from "./isolation.ts";

/** @returns the engines that run scripts of strangers, unless the sandbox restricts files and the network */
export const withheldEngines = (
  { webPages }: Pick<Settings, "webPages">,
  { enclosure: { protections } }: Pick<Sandbox, "enclosure">,
): readonly EngineId[] =>
  webPages && protections.includes("files") && protections.includes("network")
    ? []
    : engineIds.filter((id) => runScripts([id]));
