import { createInterface } from "node:readline";
import { lineOf } from "../command/exit.ts";
import { clientFor } from "../command/settings.ts";
import { folders } from "./folders.ts";
import { type Id, isRecord, type Params, ProtocolError, protocolErrors } from "./protocol.ts";
import type { ToolContext } from "./tool-context.ts";
import { ToolError } from "./tool-error.ts";
import { toolNamed, toolViews } from "./tools.ts";

/**
 * The Model Context Protocol over standard input and output: JSON-RPC 2.0, one message per line. Only tools are
 * supported (specification 2025-11-25; earlier versions do not differ in this respect).
 */

export interface McpSettings {
  /** Folders whose files may be read and written. @default the working directory */
  readonly roots: readonly string[];
  readonly version: string;
  readonly signal: AbortSignal;
}

/** Newest first: a client that requests an unknown version gets the newest. */
const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/** Characters per message. Tool calls contain only paths and options. */
const MESSAGE_CHARACTERS_MAX = 1_000_000;
const CALLS_AT_ONCE_MAX = 32;

/** Serves until standard input ends or the signal aborts, then cancels running calls. */
export const serveMcp = async ({ roots, version, signal }: McpSettings): Promise<void> => {
  const context = {
    client: await clientFor({ key: "optional" }),
    folders: await folders(roots.length > 0 ? roots : [process.cwd()]),
  };
  const calls = new Map<Id, AbortController>();
  const methods: Readonly<Record<string, (params: Params, id: Id) => unknown>> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion: VERSIONS.find((each) => each === protocolVersion) ?? VERSIONS[0],
      capabilities: { tools: {} },
      serverInfo: { name: "anyform", title: "Anyform", version },
      instructions: `Converts files between formats. Files can be read and written in ${context.folders.roots.join(", ")}.`,
    }),
    ping: () => ({}),
    "tools/list": () => ({ tools: toolViews }),
    "tools/call": (params, id) => callTool({ context, calls }, params, id),
  };
  const handle = async (line: string): Promise<void> => {
    const request = requestIn(line);
    if (request.method === "notifications/cancelled") {
      calls.get(request.params.requestId as Id)?.abort(new ToolError("Canceled."));
    }
    if (request.id === undefined) {
      return;
    }
    const method = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
    if (method === undefined) {
      throw new ProtocolError("method_not_found", `Unknown method ${request.method.slice(0, 100)}.`, request.id);
    }
    const result = await method(request.params, request.id);
    if (result !== undefined) {
      send({ id: request.id, result });
    }
  };
  await eachLine((line) => handle(line).catch(sendError), signal);
  for (const call of calls.values()) {
    call.abort(new ToolError("The session has ended."));
  }
};

interface Serving {
  readonly context: Omit<ToolContext, "report" | "signal">;
  readonly calls: Map<Id, AbortController>;
}

/** @returns the result or error of the tool; undefined for a canceled call, which gets no response */
const callTool = async ({ context, calls }: Serving, params: Params, id: Id): Promise<unknown> => {
  const tool = toolNamed(params.name);
  if (tool === undefined) {
    throw new ProtocolError("invalid_params", `Unknown tool ${String(params.name).slice(0, 100)}.`, id);
  }
  if (calls.size >= CALLS_AT_ONCE_MAX || calls.has(id)) {
    throw new ProtocolError(
      "invalid_request",
      "Too many concurrent calls, or a call with this id is already running.",
      id,
    );
  }
  const call = new AbortController();
  calls.set(id, call);
  try {
    const args = isRecord(params.arguments) ? params.arguments : {};
    const result = await tool.call({ ...context, signal: call.signal, report: reporter(params) }, args);
    return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result };
  } catch (error) {
    return call.signal.aborted ? undefined : { content: [{ type: "text", text: lineOf(error) }], isError: true };
  } finally {
    calls.delete(id);
  }
};

/** Sends progress to clients that request it. The value never decreases. */
const reporter = ({ _meta }: Params): ((percent: number, message: string) => void) => {
  const token = isRecord(_meta) ? _meta.progressToken : undefined;
  let last = -1;
  return (percent, message) => {
    if (token !== undefined && percent > last) {
      last = percent;
      const params = { progressToken: token, progress: percent, total: 100, message };
      send({ method: "notifications/progress", params });
    }
  };
};

interface Request {
  readonly method: string;
  readonly params: Params;
  /** Undefined for a notification, which gets no response. */
  readonly id: Id | undefined;
}

const requestIn = (line: string): Request => {
  const message = parsed(line);
  if (!isRecord(message)) {
    throw new ProtocolError("invalid_request", "The message must be an object.");
  }
  const id = typeof message.id === "string" || typeof message.id === "number" ? message.id : undefined;
  const params = isRecord(message.params) ? message.params : {};
  if (typeof message.method === "string") {
    return { method: message.method, params, id };
  }
  if ("result" in message || "error" in message) {
    // A response, although this server sends no requests.
    return { method: "", params, id: undefined };
  }
  throw new ProtocolError("invalid_request", "The request has no method.", id);
};

const parsed = (line: string): unknown => {
  if (line.length > MESSAGE_CHARACTERS_MAX) {
    throw new ProtocolError("invalid_request", `The message exceeds ${MESSAGE_CHARACTERS_MAX} characters.`);
  }
  try {
    return JSON.parse(line);
  } catch {
    throw new ProtocolError("parse_error", "The line is not JSON.");
  }
};

const send = (message: object): void => {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
};

const sendError = (error: unknown): void => {
  const { kind, message, id } =
    error instanceof ProtocolError ? error : new ProtocolError("internal_error", lineOf(error));
  send({ id: id ?? null, error: { code: protocolErrors[kind], message } });
};

/** Messages are handled concurrently. */
const eachLine = async (handle: (line: string) => Promise<void>, signal: AbortSignal): Promise<void> => {
  const lines = createInterface({ input: process.stdin, signal });
  for await (const line of lines) {
    if (line.trim() !== "") {
      void handle(line);
    }
  }
};
