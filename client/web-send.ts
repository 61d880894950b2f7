/**
 * Sends as `fetch` does, by the browser's older interface: the only one that tells how much of a body has left. There is
 * none in Node.
 */

/** What is used of XMLHttpRequest; the types of this package are not a browser's. */
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
  /** Hears of the bytes of this request that have left. */
  readonly onSent: (bytes: number) => void;
}

type Maker = new () => BrowserRequest;

/** A platform says by its globals what it has. */
const platform = globalThis as { readonly XMLHttpRequest?: Maker };

export const canWatch = (): boolean => platform.XMLHttpRequest !== undefined;

/** Answers that have no body, and for which `Response` takes none (Fetch Standard, null body status). */
const EMPTY_STATUSES = new Set([204, 205, 304]);

/**
 * Cookies go to the page's own host, as the browser decides; redirects are followed.
 * @throws TypeError when there was no answer, the signal's reason when it aborted, both as `fetch` does
 */
export const sendWatched = (url: URL, { method, headers, body, signal, onSent }: WatchedRequest): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { XMLHttpRequest } = platform;
    if (XMLHttpRequest === undefined) {
      throw new TypeError("This platform has no XMLHttpRequest.");
    }
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    const stop = (): void => request.abort();
    const end = (settle: () => void) => (): void => {
      signal.removeEventListener("abort", stop);
      settle();
    };
    request.onload = end(() => resolve(responseOf(request)));
    request.onerror = end(() => reject(new TypeError("The connection broke off.")));
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
