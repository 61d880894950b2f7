import { Readable, Writable } from "node:stream";
import { EXIT_MS_MAX, isFromOutside, type startProgram } from "../../core/program.ts";
import { lostProgram, type ProgramLost } from "../../core/warm.ts";

/** An event that the browser sends. */
export interface BrowserEvent {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The subset of the DevTools protocol that we use: commands and responses, and events of one page. */
export interface Protocol {
  /**
   * @param session the page that the command is for; if omitted, the command is for the browser
   * @throws Refused when the browser rejects the command; {@link ProgramLost} when the browser is gone
   */
  call(method: string, params?: object, session?: string): Promise<Readonly<Record<string, unknown>>>;
  /** Rejects with {@link ProgramLost} when the browser is gone. */
  readonly gone: Promise<never>;
  /** Subscribes to the events of a page. @returns a function that unsubscribes */
  listen(session: string, listener: (event: BrowserEvent) => void): () => void;
}

/** The browser rejected the command. The message is the browser's. */
export class Refused extends Error {}

/** A started process. */
export type StartedProgram = ReturnType<typeof startProgram>;

/** Descriptors of the pipes: the browser reads from the first and writes to the second (`--remote-debugging-pipe`). */
const TO_BROWSER = 3;
const FROM_BROWSER = 4;
export const PIPES = 2;

/** Maximum message size in bytes. The browser hangs up at 100 MiB (`devtools_pipe_handler.cc`). */
export const MESSAGE_BYTES_MAX = 100_000_000;

interface Waiting {
  readonly resolve: (result: Readonly<Record<string, unknown>>) => void;
  readonly reject: (error: Error) => void;
}

/** Communicates with a browser over two pipes, in JSON messages terminated by a zero byte. No port is opened. */
export const protocolOf = (child: StartedProgram): Protocol => {
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, (event: BrowserEvent) => void>();
  let last = 0;
  let lost: ProgramLost | undefined;
  const gone = Promise.withResolvers<never>();
  // Prevents an unhandled rejection when nothing is waiting.
  gone.promise.catch(() => {});

  const lose = (how: string, signal: NodeJS.Signals | null): void => {
    lost ??= lostBrowser(how, signal);
    gone.reject(lost);
    for (const { reject } of waiting.values()) {
      reject(lost);
    }
    waiting.clear();
  };
  const onMessage = (message: Message): void => {
    if (message.id === undefined) {
      const { method = "", params = {} } = message;
      listeners.get(message.sessionId ?? "")?.({ method, params });
      return;
    }
    const pending = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) {
      pending?.resolve(message.result ?? {});
    } else {
      pending?.reject(new Refused(message.error.message));
    }
  };

  const [to, from] = [child.stdio[TO_BROWSER], child.stdio[FROM_BROWSER]];
  if (!(to instanceof Writable && from instanceof Readable)) {
    throw new TypeError("The browser was started without pipes.");
  }
  from.on("data", messagesInto(onMessage));
  child.once("exit", (_, signal: NodeJS.Signals | null) => lose("its process ended", signal));
  child.once("error", () => lose("its process ended", null));
  // The exit follows, and says why.
  const onBroken = (): void => void setTimeout(() => lose("its pipe broke", null), EXIT_MS_MAX).unref();
  from.once("close", onBroken);
  to.once("error", onBroken);
  return {
    gone: gone.promise,
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
    listen: (session, listener) => {
      listeners.set(session, listener);
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

/** @returns a function that accepts chunks of any size and passes on each complete message */
const messagesInto = (onMessage: (message: Message) => void): ((chunk: Buffer) => void) => {
  let begun: Buffer[] = [];
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, from)) {
      const text = Buffer.concat([...begun, chunk.subarray(from, end)]).toString("utf8");
      begun = [];
      from = end + 1;
      onMessage(JSON.parse(text));
    }
    begun.push(chunk.subarray(from));
  };
};

/** @returns the error for a lost browser, with the reason */
const lostBrowser = (how: string, signal: NodeJS.Signals | null): ProgramLost =>
  lostProgram("The browser", { wasKilled: isFromOutside(signal), blame: `The document crashes the browser: ${how}.` });
