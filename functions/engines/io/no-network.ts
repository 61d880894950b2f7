/** Where no proxy listens: a program that would ask the network gets no further. */
const NOWHERE = "http://127.0.0.1:1";

/** What sends a program's requests there, in both spellings that programs look for. */
export const NO_NETWORK = {
  http_proxy: NOWHERE,
  https_proxy: NOWHERE,
  HTTP_PROXY: NOWHERE,
  HTTPS_PROXY: NOWHERE,
} as const;
