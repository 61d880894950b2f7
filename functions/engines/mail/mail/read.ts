import { TEXT_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import type { EngineTask } from "../../core/engine.ts";
import { readInput } from "../../core/input.ts";
import { readEml } from "./eml.ts";
import type { Message } from "./message.ts";
import { readMsg } from "./msg.ts";

/** @returns the bytes of a file with messages */
export const messageBytes = (path: string): Promise<Buffer> => readInput(path, { max: TEXT_BYTES_MAX, name: "file" });

/**
 * Reads a message of the internet or of Outlook.
 *
 * @throws JobError `source_corrupt`
 */
export const readMessage = async ({ input, from }: Pick<EngineTask, "input" | "from">): Promise<Message> => {
  const bytes = await messageBytes(input);
  return from === "msg" ? readMsg(bytes) : readEml(bytes);
};
