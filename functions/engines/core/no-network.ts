/** An address without a proxy: network requests of programs fail there. */
const NOWHERE = "http://127.0.0.1:1";

/** Variables that send a program's requests there, in both spellings that programs read. */
export const NO_NETWORK = {
  http_proxy: NOWHERE,
  https_proxy: NOWHERE,
  HTTP_PROXY: NOWHERE,
  HTTPS_PROXY: NOWHERE,
} as const;
