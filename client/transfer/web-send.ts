/**
 * Sends as `fetch` does, through XMLHttpRequest: the only browser API that reports upload progress. Not available in
 * Node.
 */

/** The used part of XMLHttpRequest; this package does not include browser types. */
interface BrowserRequest {
  readonly status: number;
  readonly response: Blob | null;
  readonly upload: { onprogress: ((event: { readonly loaded: number }) => void) | null };
  responseType: string;
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: NonNullable<RequestInit["body"]> | null): void;
  abort(): void;
}

export interface WatchedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: NonNullable<RequestInit["body"]> | null;
  readonly signal: AbortSignal;
  /** Receives the number of bytes of this request that have been sent. */
  readonly onSent: (bytes: number) => void;
}

type Maker = new () => BrowserRequest;

/** Feature detection through globals. */
const platform = globalThis as { readonly XMLHttpRequest?: Maker };

export const canWatch = (): boolean => platform.XMLHttpRequest !== undefined;

/** Responses without a body, for which `Response` accepts none (Fetch Standard, null body status). */
const EMPTY_STATUSES = new Set([204, 205, 304]);

/**
 * Cookies are sent to the page's host, as the browser decides; redirects are followed.
 * @throws TypeError if there is no response, the signal's reason if it aborts, both as `fetch` does
 */
export const sendWatched = (url: URL, { method, headers, body, signal, onSent }: WatchedRequest): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { XMLHttpRequest } = platform;
    if (XMLHttpRequest === undefined) {
      throw new TypeError("XMLHttpRequest is not available on this platform.");
    }
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    const stop = (): void => request.abort();
    const end = (settle: () => void) => (): void => {
      signal.removeEventListener("abort", stop);
      settle();
    };
    request.onload = end(() => resolve(responseOf(request)));
    request.onerror = end(() => reject(new TypeError("The connection was lost.")));
    request.onabort = end(() => reject(signal.reason));
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.open(method, url.href);
    request.responseType = "blob";
    for (const [name, value] of Object.entries(headers)) {
      request.setRequestHeader(name, value);
    }
    signal.addEventListener("abort", stop, { once: true });
    request.send(body);
  });

const responseOf = (request: BrowserRequest): Response => {
  const { status } = request;
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/).filter(Boolean);
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(":");
    return [line.slice(0, at), line.slice(at + 1).trim()];
  });
  return new Response(EMPTY_STATUSES.has(status) ? null : request.response, { status, headers });
};
