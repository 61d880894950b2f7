import { type Cacheable, cacheable, cachedAnswer } from "./cacheable.ts";
import { http, type Operation } from "./http.ts";

// Relative, so that it works wherever the service is reached.
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Anyform: the API</title>
<link rel="icon" href="docs/icon.svg">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<main id="docs"></main>
<noscript>This page needs JavaScript. The same is written in <a href="openapi.json">openapi.json</a>.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Nothing but our own files, and no inline code or style; the pictures of Swagger UI's style sheet are written into it. */
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

/** Gives a page that shows the OpenAPI document, and sends requests with a key that the reader types. */
export const getDocs: Operation = () => async (request) => {
  page ??= cacheable(Buffer.from(PAGE), "text/html; charset=utf-8");
  const answer = cachedAnswer(request, page);
  return { ...answer, headers: { ...answer.headers, "content-security-policy": POLICY } };
};

export const handler = http("getDocs", getDocs);
