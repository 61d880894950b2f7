/** THE table of response headers. Responses name those that they have. */

interface Header {
  readonly description: string;
  readonly example: string;
  /** Whether every response that names it has it. */
  readonly always: boolean;
}

export const headers = {
  "X-Request-Id": {
    description: "The request ID. Include it in support requests.",
    example: "4f5f9c0e-1c7b-4e57-9a39-0b6c2f6a7d11",
    always: true,
  },
  "RateLimit-Policy": {
    description:
      "The limits of the account (draft-ietf-httpapi-ratelimit-headers): `q` requests in `w` seconds. `burst` is the limit " +
      "per second, if the plan has one; `month` is sent for requests that count toward the quota.",
    example: '"burst";q=20;w=1, "month";q=5000;w=2592000',
    always: false,
  },
  RateLimit: {
    description: "The remaining requests of each limit: `r` in the next `t` seconds.",
    example: '"burst";r=19;t=1, "month";r=4872;t=864000',
    always: false,
  },
  "X-RateLimit-Limit": {
    description: "Requests per month, for clients that do not support `RateLimit`.",
    example: "5000",
    always: false,
  },
  "X-RateLimit-Remaining": { description: "Remaining requests this month.", example: "4872", always: false },
  "X-RateLimit-Reset": {
    description: "When the quota resets, in seconds since 1970.",
    example: "1796083200",
    always: false,
  },
  "Retry-After": { description: "Seconds to wait before the next request.", example: "1", always: false },
  Location: {
    description: "The URL of the job's status, or of the file.",
    example: "/api/v1/convert/job_00GxPqjL0a1b2c3d4e5f6g/status",
    always: true,
  },
  Link: {
    description: 'The next page, `rel="next"` (RFC 8288). Not set on the last page.',
    example: '</api/v1/convert?limit=50&after=job_00GxPqjL0a1b2c3d4e5f6g>; rel="next"',
    always: false,
  },
  ETag: {
    description: "The version of the response, for `If-None-Match`.",
    example: '"5f1c3a0e9b7d24685f1c3a0e9b7d2468"',
    always: false,
  },
  "Preference-Applied": {
    description: "`wait=` and the seconds, if `Prefer: wait` was honored (RFC 7240).",
    example: "wait=25",
    always: false,
  },
  "Idempotent-Replayed": {
    description: "`true` if the `Idempotency-Key` was used before: the response is the record of the first request.",
    example: "true",
    always: false,
  },
  "Set-Cookie": {
    description:
      "The session cookie; an empty value removes it. Named `__Host-anyform` with `Secure` over HTTPS, `anyform` over HTTP.",
    example: "__Host-anyform=…; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure",
    always: true,
  },
  "WWW-Authenticate": {
    description: "How to authenticate (RFC 6750).",
    example: 'Bearer realm="anyform"',
    always: true,
  },
  "Content-Disposition": {
    description: "The filename (RFC 6266). Only set if the response is a file.",
    example: "attachment; filename=\"a.jpg\"; filename*=UTF-8''a.jpg",
    always: false,
  },
  "Content-Length": { description: "Size of the response in bytes.", example: "91233", always: false },
  "X-Job-Id": {
    description: "The job that made the file. Only set if the response is the file.",
    example: "job_00GxPqjL0a1b2c3d4e5f6g",
    always: false,
  },
  "X-Job-Url": {
    description: "The URL of `getJob` for this job.",
    example: "https://example.com/api/v1/convert/job_00GxPqjL0a1b2c3d4e5f6g/status",
    always: false,
  },
  "X-Job-Warnings": {
    description: "The first `warnings` of the job as JSON in ASCII, at most 4,000 bytes. Not set without warnings.",
    example: '[{"code":"animation_lost","detail":"Only the first frame was converted."}]',
    always: false,
  },
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof headers;

/** @returns all headers, as components of the document */
export const headerComponents = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries<Header>(headers).map(([name, { description, example, always }]) => [
      name,
      { description, ...(always && { required: true }), schema: { type: "string" }, example },
    ]),
  );

/** @returns references to the headers */
export const headerReferences = (names: readonly HeaderName[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
