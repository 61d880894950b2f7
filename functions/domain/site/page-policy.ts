/** Security headers of the dashboard, served by the gateway of one machine or by CloudFront. */

/**
 * Directives of the Content-Security-Policy. Everything is loaded from the service's host: no inline scripts or styles,
 * no frames. `blob:` is for previews of dropped or converted files. Trusted types prevent scripts from inserting text
 * as HTML.
 */
const DIRECTIVES: Readonly<Record<string, readonly string[]>> = {
  "default-src": ["'none'"],
  "script-src": ["'self'"],
  "style-src": ["'self'"],
  "img-src": ["'self'", "blob:", "data:"],
  "font-src": ["'self'"],
  "connect-src": ["'self'"],
  "media-src": ["'self'", "blob:"],
  "manifest-src": ["'self'"],
  "base-uri": ["'none'"],
  "form-action": ["'self'"],
  "frame-ancestors": ["'none'"],
  "require-trusted-types-for": ["'script'"],
};

/**
 * @param connect further origins that pages send files to, such as `https://files.example.com`. @default none
 * @returns the value of `Content-Security-Policy`
 */
export const contentSecurityPolicy = (connect: readonly string[] = []): string =>
  Object.entries(DIRECTIVES)
    .map(([name, sources]) => [name, ...sources, ...(name === "connect-src" ? connect : [])].join(" "))
    .join("; ");

/**
 * The other headers of every page, in lowercase. The only browser features that the pages use are passkeys and the
 * clipboard.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": [
    "camera=()",
    "clipboard-read=(self)",
    "clipboard-write=(self)",
    "display-capture=()",
    "fullscreen=(self)",
    "geolocation=()",
    "microphone=()",
    "payment=()",
    "publickey-credentials-create=(self)",
    "publickey-credentials-get=(self)",
    "usb=()",
  ].join(", "),
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
};
