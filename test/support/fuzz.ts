import type { OpenapiDocument, OpenapiOperation, OpenapiParameter } from "./document-check.ts";
import { broken, mutated, nastyTexts } from "./nasty.ts";
import type { Random } from "./random.ts";
import type { RawRequest } from "./services/raw-request.ts";

/** Random requests from the document: valid ones, and valid ones with a mutation. */

export interface FuzzWorld {
  readonly document: OpenapiDocument;
  /** Existing resources, by the names of the document's parameters: IDs, tokens. */
  readonly known: Readonly<Record<string, readonly string[]>>;
  /** Valid keys, test keys and invalid ones. */
  readonly keys: readonly [string, ...string[]];
  /** A file that is accepted. */
  readonly file: Buffer;
}

/** Nobody listens there, and the address is refused: tests never connect to external servers. */
const NOWHERE = "http://127.0.0.1:9/";

const OTHER_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];

const CONTENT_TYPES = [
  "application/json",
  "application/json; charset=utf-16",
  "application/vnd.api+json",
  "text/plain",
  "multipart/form-data",
  "multipart/form-data; boundary=",
  "multipart/form-data; boundary=b",
  "application/x-www-form-urlencoded",
  "",
  "application/json, text/plain",
];

export const fuzzRequest = (world: FuzzWorld, random: Random): RawRequest => {
  const rows = Object.entries(world.document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const row = { path, method: method.toUpperCase(), operation };
      // Bodies have the most ways to fail.
      return operation.requestBody === undefined ? [row] : [row, row, row, row];
    }),
  );
  const { path, method, operation } = random.pick(rows);
  const parameters = operation.parameters.map(({ $ref }) => {
    const key = $ref.split("/").at(-1) ?? "";
    return { key, parameter: world.document.components.parameters[key] };
  });
  const textOf = ({ key, parameter }: (typeof parameters)[number]): string =>
    random.chance(0.7) ? random.pick(world.known[key] ?? [String(parameter?.example)]) : nastyText(random);
  const inPlace = (place: OpenapiParameter["in"]): [string, string][] =>
    parameters
      .filter(({ parameter }) => parameter?.in === place && (place === "path" || random.chance(0.4)))
      .map((each) => [each.parameter?.name ?? "", textOf(each)]);
  const body = bodyOf(world, operation, random);
  return {
    method: random.chance(0.93) ? method : random.pick(OTHER_METHODS),
    path: pathOf(path, Object.fromEntries(inPlace("path")), random) + queryOf(inPlace("query"), random),
    headers: [
      ["authorization", random.chance(0.85) ? `Bearer ${world.keys[0]}` : authorization(world, random)],
      ...inPlace("header").map(([name, value]): [string, string] => [name, headerValue(value)]),
      ...oddHeaders(random),
      ...(body ? [["content-type", body.type] as [string, string]] : []),
    ],
    ...(body && { body: body.bytes }),
  };
};

const nastyText = (random: Random): string => {
  const text = random.pick(nastyTexts);
  return random.chance(0.2) ? text + random.pick(nastyTexts) : text;
};

/** HTTP does not allow these in a header, so they never reach the service. */
const headerValue = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}/gu, "")
    .slice(0, 3_000);

const authorization = ({ keys }: FuzzWorld, random: Random): string =>
  random.pick([
    ...keys.map((key) => `Bearer ${key}`),
    `bearer  ${keys[0]}`,
    `Basic ${keys[0]}`,
    "Bearer",
    headerValue(nastyText(random)),
  ]);

const oddHeaders = (random: Random): [string, string][] =>
  random.chance(0.75)
    ? []
    : [
        random.pick<[string, string]>([
          ["accept", "application/json"],
          ["accept-encoding", "gzip;q=0, br"],
          ["prefer", "wait"],
          ["prefer", "wait=-1"],
          ["prefer", "respond-async, wait=1; x"],
          ["prefer", `wait=${"9".repeat(20)}x`],
          ["if-none-match", "*"],
          ["idempotency-key", "k".repeat(256)],
          ["idempotency-key", "same"],
          ["x-forwarded-proto", "gopher"],
          ["x-forwarded-host", "elsewhere.invalid"],
          ["x-long", "l".repeat(8_000)],
          ["content-encoding", "gzip"],
          ["expect", "nothing"],
          ["host", "["],
          ["host", "%%"],
          ["host", "a;b, c"],
        ]),
        ["x-twice", "1"],
        ["x-twice", "2"],
      ];

const pathOf = (template: string, values: Record<string, string>, random: Random): string => {
  const encoded = (value: string): string => {
    const safe = encodeURIComponent(value.toWellFormed()) || "%20";
    return random.chance(0.1) ? `${safe}${random.pick(["%", "%zz", "%00", "/", "/..", ";a=b", "%2f..%2f"])}` : safe;
  };
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(values[name] ?? "").slice(0, 6_000));
  return random.chance(0.03) ? path + random.pick(["/", "//", "/.", "/%2e%2e/account", "?", "#x".slice(1)]) : path;
};

const queryOf = (pairs: readonly [string, string][], random: Random): string => {
  const all = [
    ...pairs,
    ...(random.chance(0.1) ? [[nastyText(random), nastyText(random)] as const] : []),
    ...(random.chance(0.1) ? [["limit", "5"] as const, ["limit", "6"] as const] : []),
  ];
  const query = all.map((pair) =>
    pair.map((part) => encodeURIComponent(part.toWellFormed()).slice(0, 3_000)).join("="),
  );
  const wrong = random.chance(0.05) ? [random.pick(["%", "&&&=", "=", "a=%ff%fe", "[]=1"])] : [];
  return query.length + wrong.length === 0 ? "" : `?${[...query, ...wrong].join("&").slice(0, 7_000)}`;
};

interface Body {
  readonly type: string;
  readonly bytes: Buffer;
}

const bodyOf = (world: FuzzWorld, operation: OpenapiOperation, random: Random): Body | undefined => {
  const content = Object.entries(operation.requestBody?.content ?? {});
  if (content.length === 0) {
    return random.chance(0.05) ? { type: random.pick(CONTENT_TYPES), bytes: Buffer.from("{}") } : undefined;
  }
  const [type, { examples = {} }] = random.pick(content);
  const body = type.startsWith("multipart")
    ? formBody(world, random)
    : type === "application/json"
      ? jsonBody(world, Object.keys(examples), random)
      : { type: random.pick(["image/png", "application/octet-stream"]), bytes: world.file };
  return {
    type: random.chance(0.92) ? body.type : random.pick(CONTENT_TYPES),
    bytes: random.chance(0.88) ? body.bytes : broken(body.bytes, random),
  };
};

const jsonBody = ({ document, known }: FuzzWorld, examples: readonly string[], random: Random): Body => {
  const text = JSON.stringify(document.components.examples[random.pick(examples)]?.value)
    .replaceAll(/https:\/\/example\.com\/[^"]*/g, NOWHERE)
    .replaceAll(/upl_\w+/g, () => random.pick(known.uploadId ?? [""]));
  let value: unknown = JSON.parse(text);
  for (let changes = random.pick([0, 0, 1, 1, 1, 2, 5]); changes > 0; changes -= 1) {
    value = mutated(value, random);
  }
  return { type: "application/json", bytes: Buffer.from(JSON.stringify(value) ?? "") };
};

const formBody = ({ file }: FuzzWorld, random: Random): Body => {
  const field = random.chance(0.8) ? "file" : nastyText(random);
  const name = random.chance(0.5) ? "a.png" : nastyText(random);
  const quoted = (text: string): string => text.replaceAll(/["\r\n]/g, "_");
  const disposition = random.pick([
    `form-data; name="${quoted(field)}"; filename="${quoted(name)}"`,
    `form-data; name="${quoted(field)}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`,
    `form-data; name=${field}; filename=${name}`,
    `form-data; name="${quoted(field)}"`,
    `attachment`,
  ]);
  const part = (bytes: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(
        `--b\r\nContent-Disposition: ${random.chance(0.7) ? `form-data; name="file"; filename="${quoted(name)}"` : disposition}\r\n`,
      ),
      Buffer.from(random.pick(["", "Content-Type: image/png\r\n", `X-Long: ${"l".repeat(9_000)}\r\n`, "nonsense\r\n"])),
      Buffer.from("\r\n"),
      bytes,
      Buffer.from("\r\n"),
    ]);
  const content = random.chance(0.8) ? file : random.pick([Buffer.alloc(0), Buffer.from("?"), Buffer.alloc(200_000)]);
  const parts = Array.from({ length: random.pick([1, 1, 1, 1, 0, 2, 20]) }, () => part(content));
  const setting = (name: string, value: string): Buffer =>
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`);
  const settings = [
    ...(random.chance(0.7) ? [setting("target_format", random.chance(0.8) ? "jpg" : nastyText(random))] : []),
    ...(random.chance(0.3) ? [setting(random.pick(["options[quality]", "quality", nastyText(random)]), "80")] : []),
  ];
  const bytes = Buffer.concat([...settings, ...parts, Buffer.from("--b--\r\n")]);
  return { type: "multipart/form-data; boundary=b", bytes };
};
