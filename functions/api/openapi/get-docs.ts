import { type Cacheable, cacheable, cachedAnswer } from "../middleware/cacheable.ts";
import { operation } from "../operation.ts";
import { noPermissions } from "../permissions.ts";

// Relative URLs work with any base URL.
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Anyform API</title>
<link rel="icon" href="docs/icon.svg">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<main id="docs"></main>
<noscript>This page requires JavaScript. See <a href="openapi.json">openapi.json</a> instead.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Allows only our own files, and no inline code or style. Swagger UI's style sheet embeds its images as data URLs. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

let page: Cacheable | undefined;

/** Returns a page that shows the OpenAPI document, and sends requests with a key that the reader enters. */
export const getDocs = operation({
  id: "getDocs",
  methods: ["GET"],
  path: "/api/v1/docs",
  auth: "none",
  memoryMegabytes: 256,
  permissions: noPermissions,
  tag: "Service",
  summary: "Interactive documentation",
  description: "Returns a page that shows this document and sends requests with your API key.",
  parameters: ["version"],
  answers: {
    200: { description: "The page.", media: ["text/html"], headers: ["ETag"] },
    304: { description: "The client has this version.", headers: ["ETag"] },
  },
  run: () => async (request) => {
    page ??= cacheable(Buffer.from(PAGE), "text/html; charset=utf-8");
    const answer = cachedAnswer(request, page);
    return { ...answer, headers: { ...answer.headers, "content-security-policy": POLICY } };
  },
});
