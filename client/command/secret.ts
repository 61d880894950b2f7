import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Reads without echo from a terminal, or the first line of a pipe. */
export const askSecret = async (question: string, signal: AbortSignal): Promise<string | undefined> => {
  const isTerminal = process.stdin.isTTY === true;
  const unseen = new Writable({ write: (_chunk, _encoding, written) => written() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: isTerminal });
  try {
    if (!isTerminal) {
      const { value } = await lines[Symbol.asyncIterator]().next();
      return typeof value === "string" ? value.trim() || undefined : undefined;
    }
    process.stderr.write(question);
    const answer = await lines.question("", { signal });
    process.stderr.write("\n");
    return answer.trim() || undefined;
  } finally {
    lines.close();
  }
};
