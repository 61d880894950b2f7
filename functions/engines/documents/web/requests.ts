import { DOCUMENT_URL } from "../chromium/ready.ts";
import type { Visit } from "./site.ts";

/** @returns the command that answers an intercepted request: the files of the page, or the client's headers are added */
export const requestCommand = (
  { source, options }: Pick<Visit, "source" | "options">,
  { requestId, request }: Readonly<Record<string, unknown>>,
): readonly [string, object] => {
  const { url, headers } = request as { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  if (source.files === undefined) {
    const own = Object.entries({ ...headers, ...headersOf(options.request_headers) });
    return ["Fetch.continueRequest", { requestId, headers: own.map(([name, value]) => ({ name, value })) }];
  }
  const file = source.files.get(url.replace(/[?#].*$/, ""));
  if (file === undefined) {
    const errorReason = url.startsWith(DOCUMENT_URL) ? "Failed" : "BlockedByClient";
    return ["Fetch.failRequest", { requestId, errorReason }];
  }
  return [
    "Fetch.fulfillRequest",
    {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: "content-type", value: file.mediaType }],
      body: Buffer.from(file.bytes).toString("base64"),
    },
  ];
};

/** @returns the headers of lines of `Name: value` */
const headersOf = (text = ""): Record<string, string> =>
  Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const colon = line.indexOf(":");
      return colon <= 0 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const];
    }),
  );
