import { JobError } from "../../../domain/errors.ts";

/** The response with the document, as the browser reports it. */
export interface MainResponse {
  readonly url: string;
  readonly status: number;
}

/** @throws JobError `page_unavailable` when there is no response, or its status is an error */
export const checkResponse = (response: MainResponse | undefined): void => {
  if (response === undefined) {
    throw new JobError("page_unavailable", "The server did not respond in time.");
  }
  if (response.status >= 400) {
    throw new JobError("page_unavailable", `The server returned status ${response.status}.`);
  }
};

/** Errors of the browser, by what they begin with. */
const REASONS: readonly (readonly [string, string])[] = [
  ["net::ERR_TUNNEL_CONNECTION_FAILED", "The server could not be reached."],
  ["net::ERR_EMPTY_RESPONSE", "The server closed the connection without a response."],
  ["net::ERR_CERT", "The certificate of the server is not valid."],
  ["net::ERR_SSL", "A secure connection to the server failed."],
  ["net::ERR_TOO_MANY_REDIRECTS", "The server redirects too many times."],
  ["net::ERR_UNSAFE_REDIRECT", "The server redirects to a URL that is not http: or https:."],
  ["net::ERR_ABORTED", "The URL returns a file, not a web page. Upload it with its URL instead."],
];

/** @param errorText the browser's name of the error */
export const notLoaded = (errorText: string): JobError => {
  const reason = REASONS.find(([start]) => errorText.startsWith(start))?.[1];
  return new JobError("page_unavailable", reason ?? `The page could not be loaded: ${errorText}.`);
};
