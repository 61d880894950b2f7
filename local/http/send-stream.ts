import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ApiResult } from "../../functions/api/request.ts";
import { STREAM_BUFFERS_BYTES } from "./limits/waiting-bytes.ts";
import { busyResult } from "./refusals.ts";
import { type ClientExchange, setHeaders, type Writing, writeResult } from "./write-result.ts";

/**
 * Sends the headers at once, then the body as the client reads it. A client can disconnect at any time. If the client
 * holds too many bytes of other responses, the stream is replaced by 503.
 */
export const sendStream = async (
  exchange: ClientExchange,
  { stream, ...result }: ApiResult & { readonly stream: Readable },
  writing: Writing,
): Promise<void> => {
  const { request, response } = exchange;
  if (!writing.waiting.hold(exchange, STREAM_BUFFERS_BYTES)) {
    stream.destroy();
    await writeResult(exchange, busyResult(request, "Too many responses to your network wait to be read."), writing);
    return;
  }
  setHeaders(response, result);
  response.writeHead(result.statusCode ?? 200).flushHeaders();
  await pipeline(stream, response).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") {
      throw error;
    }
  });
};
