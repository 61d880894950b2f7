import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ApiResult } from "../../functions/api/request.ts";
import { setHeaders } from "./write-result.ts";

/** Sends the headers at once, then the body as the client reads it. A client can disconnect at any time. */
export const sendStream = async (response: ServerResponse, result: ApiResult, stream: Readable): Promise<void> => {
  setHeaders(response, result);
  response.writeHead(result.statusCode ?? 200).flushHeaders();
  await pipeline(stream, response).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") {
      throw error;
    }
  });
};
