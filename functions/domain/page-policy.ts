/** What browsers may do with the pages of the dashboard, whoever serves them: one machine's gateway, or CloudFront. */

/**
 * Directives of the Content-Security-Policy. Everything comes from the service's own host: no inline script or style, no
 * frame. `blob:` is for previews of files that were dropped or converted. Scripts that put text into the page as HTML
 * are stopped by the browser.
 */
const DIRECTIVES: Readonly<Record<string, readonly string[]>> = {
  "default-src": ["'none'"],
  "script-src": ["'self'"],
  "style-src": ["'self'"],
  "img-src": ["'self'", "blob:", "data:"],
  "font-src": ["'self'"],
  "connect-src": ["'self'"],
  "media-src": ["'self'", "blob:"],
  "base-uri": ["'none'"],
  "form-action": ["'self'"],
  "frame-ancestors": ["'none'"],
  "require-trusted-types-for": ["'script'"],
};

/**
 * @param connect origins beside the pages' own that they send files to, as `https://files.example.com`. @default none
 * @returns the value of `Content-Security-Policy`
 */
export const contentSecurityPolicy = (connect: readonly string[] = []): string =>
  Object.entries(DIRECTIVES)
    .map(([name, sources]) => [name, ...sources, ...(name === "connect-src" ? connect : [])].join(" "))
    .join("; ");

/**
 * The other headers of every page, in lower case. Of all that a browser can do for a page, these pages use passkeys and
 * the clipboard.
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
