import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { temporaryFolder } from "../temporary-folder.ts";

/** The engine's Chromium with a page, for tests of pages that people see. */
export interface BrowserPage {
  /** Every URL that the page requested, including those that its policy blocked. */
  readonly asked: string[];
  /** Errors in the page: exceptions, console errors, policy violations. */
  readonly complaints: string[];
  open(url: string): Promise<void>;
  /** @returns the awaited value of an expression in the page, as JSON */
  evaluate<Value>(expression: string): Promise<Value>;
  /** Waits until the expression is true; fails after 20 s. */
  until(expression: string): Promise<void>;
  close(): Promise<void>;
}

const ARGUMENTS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--no-first-run",
  "--remote-debugging-port=0",
  // Only loopback bypasses the proxy, which does not exist: no request leaves the machine.
  "--proxy-server=http://127.0.0.1:9",
];
const CHECKS_MAX = 200;
const PAUSE_MS = 100;

export const openBrowser = async (): Promise<BrowserPage> => {
  const folder = temporaryFolder();
  const child = spawn("chromium-headless-shell", [...ARGUMENTS, `--user-data-dir=${folder.path}`, "about:blank"], {
    stdio: ["ignore", "ignore", "pipe"],
    // The program may be a shell script, which does not pass signals to the browser: the group is ended instead.
    detached: true,
  });
  const exited = once(child, "exit");
  const debuggers = await debuggerOf(child.stderr);
  const protocol = await attach(debuggers);
  return {
    ...protocol,
    close: async () => {
      process.kill(-(child.pid ?? 0), "SIGTERM");
      await exited;
      await folder.remove();
    },
  };
};

const debuggerOf = async (stderr: NodeJS.ReadableStream): Promise<string> => {
  for await (const line of createInterface({ input: stderr })) {
    const match = /DevTools listening on ws:\/\/([^/]+)\//.exec(line);
    if (match?.[1] !== undefined) {
      stderr.resume();
      return match[1];
    }
  }
  throw new Error("Chromium did not start.");
};

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly request?: { readonly url: string };
    readonly entry?: { readonly level: string; readonly text: string; readonly url?: string };
    readonly type?: string;
    readonly args?: readonly { readonly value?: unknown; readonly description?: string }[];
    readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
  };
  readonly result?: {
    readonly result?: { readonly value?: unknown };
    readonly exceptionDetails?: { readonly text: string };
  };
}

const attach = async (host: string): Promise<Omit<BrowserPage, "close">> => {
  const targets = (await (await fetch(`http://${host}/json`)).json()) as {
    type: string;
    webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(targets.find(({ type }) => type === "page")?.webSocketDebuggerUrl ?? "");
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const asked: string[] = [];
  const complaints: string[] = [];
  const waiting = new Map<number, (message: Message) => void>();
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    waiting.get(message.id ?? 0)?.(message);
    note(message, asked, complaints);
  };
  let last = 0;
  const call = (method: string, params: object = {}): Promise<Message> => {
    last += 1;
    const id = last;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  for (const domain of ["Page", "Network", "Runtime", "Log"]) {
    await call(`${domain}.enable`);
  }
  const evaluate = async <Value>(expression: string): Promise<Value> => {
    const { result } = await call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (result?.exceptionDetails !== undefined) {
      throw new Error(`${expression}: ${JSON.stringify(result.exceptionDetails)}`);
    }
    return result?.result?.value as Value;
  };
  return {
    asked,
    complaints,
    open: async (url) => void (await call("Page.navigate", { url })),
    evaluate,
    until: async (expression) => {
      for (let checks = 0; checks < CHECKS_MAX; checks += 1) {
        if (await evaluate<boolean>(expression)) {
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
      throw new Error(`Did not become true: ${expression}. Page errors: ${complaints.join("; ")}`);
    },
  };
};

const note = ({ method, params }: Message, asked: string[], complaints: string[]): void => {
  if (method === "Network.requestWillBeSent") {
    asked.push(params?.request?.url ?? "");
  }
  if (method === "Log.entryAdded" && params?.entry?.level === "error") {
    complaints.push(`${params.entry.text} ${params.entry.url ?? ""}`);
  }
  if (method === "Runtime.consoleAPICalled" && params?.type === "error") {
    complaints.push(params.args?.map(({ value, description }) => value ?? description).join(" ") ?? "");
  }
  if (method === "Runtime.exceptionThrown") {
    complaints.push(params?.exceptionDetails?.exception?.description ?? params?.exceptionDetails?.text ?? "");
  }
};
