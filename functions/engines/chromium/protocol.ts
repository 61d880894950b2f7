import { Readable, Writable } from "node:stream";
import { JobError } from "../../domain/errors.ts";
import type { startProgram } from "../io/program.ts";
import { ProgramLost } from "../io/warm.ts";

/** What a browser tells without being asked. */
export interface BrowserEvent {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The DevTools protocol, as far as it is needed: commands and their answers, and events of one page. */
export interface Protocol {
  /**
   * @param session of the page that the command is for; without it, it is for the browser
   * @throws Refused when the browser will not do it; {@link ProgramLost} when it has gone
   */
  call(method: string, params?: object, session?: string): Promise<Readonly<Record<string, unknown>>>;
  /** Hears the events of a page until it is told to stop. @returns what stops it */
  listen(session: string, heard: (event: BrowserEvent) => void): () => void;
}

/** The browser has answered that it will not do what it was told; the message is its own. */
export class Refused extends Error {}

/** A process as it was started. */
export type StartedProgram = ReturnType<typeof startProgram>;

/** Descriptors of the pipes: the browser reads from the first and writes to the second (`--remote-debugging-pipe`). */
const TO_BROWSER = 3;
const FROM_BROWSER = 4;
export const PIPES = 2;

/** Bytes that the browser takes in one message; at 100 MiB it hangs up (`devtools_pipe_handler.cc`). */
export const MESSAGE_BYTES_MAX = 100_000_000;

interface Waiting {
  readonly resolve: (result: Readonly<Record<string, unknown>>) => void;
  readonly reject: (error: Error) => void;
}

/** Speaks with a browser over two pipes, in JSON with a zero byte behind each message: no port is opened. */
export const protocolOf = (child: StartedProgram): Protocol => {
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, (event: BrowserEvent) => void>();
  let last = 0;
  let lost: ProgramLost | undefined;

  const lose = (how: string): void => {
    lost ??= lostBrowser(how);
    for (const { reject } of waiting.values()) {
      reject(lost);
    }
    waiting.clear();
  };
  const hear = (message: Message): void => {
    if (message.id === undefined) {
      const { method = "", params = {} } = message;
      listeners.get(message.sessionId ?? "")?.({ method, params });
      return;
    }
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) {
      asked?.resolve(message.result ?? {});
    } else {
      asked?.reject(new Refused(message.error.message));
    }
  };

  const [to, from] = [child.stdio[TO_BROWSER], child.stdio[FROM_BROWSER]];
  if (!(to instanceof Writable && from instanceof Readable)) {
    throw new TypeError("The browser was started without its pipes.");
  }
  from.on("data", messagesInto(hear));
  for (const [stream, event] of [
    [child, "exit"],
    [child, "error"],
    [from, "close"],
    [to, "error"],
  ] as const) {
    stream.once(event, () => lose(`its ${event === "exit" ? "process ended" : "pipe broke"}`));
  }
  return {
    call: (method, params = {}, session = undefined) =>
      new Promise((resolve, reject) => {
        if (lost !== undefined) {
          reject(lost);
          return;
        }
        last += 1;
        waiting.set(last, { resolve, reject });
        to.write(`${JSON.stringify({ id: last, method, params, sessionId: session })}\0`);
      }),
    listen: (session, heard) => {
      listeners.set(session, heard);
      return () => listeners.delete(session);
    },
  };
};

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
  readonly sessionId?: string;
}

/** @returns a function that takes what comes as it comes, and hands on each message when it is complete */
const messagesInto = (hear: (message: Message) => void): ((chunk: Buffer) => void) => {
  let begun: Buffer[] = [];
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, from)) {
      const text = Buffer.concat([...begun, chunk.subarray(from, end)]).toString("utf8");
      begun = [];
      from = end + 1;
      hear(JSON.parse(text));
    }
    begun.push(chunk.subarray(from));
  };
};

/** @returns that the browser is gone, and how */
const lostBrowser = (how: string): ProgramLost =>
  new ProgramLost(`The browser was lost: ${how}.`, {
    cause: new JobError("engine_crashed", `The browser was lost over this document: ${how}.`),
  });
