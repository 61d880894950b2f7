import type { FormPart, PlannedRequest } from "./draft.ts";

/** Programs that send a request. Each one is complete and can be run unchanged. */

/** Where a file of a response is stored. */
const RESULT = "result";

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** @returns a string literal that is valid in both TypeScript and Python */
const quoted = (text: string): string => JSON.stringify(text);

/** For a shell. */
export const curlSample = ({ method, url, headers, body, hasFile }: PlannedRequest): string => {
  const isPlain = method === "GET" || (method === "POST" && body !== undefined && body.type !== "file");
  const lines = [
    `curl -sS${hasFile ? "L" : ""} ${curlMethod(method, isPlain)}${shellQuoted(url)}`,
    ...headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...curlBody(body),
    ...(hasFile && method !== "HEAD" ? [`-o ${RESULT}`] : []),
  ];
  return lines.join(" \\\n  ");
};

const curlMethod = (method: string, isPlain: boolean): string => {
  if (method === "HEAD") {
    return "-I ";
  }
  return isPlain ? "" : `-X ${method} `;
};

const curlBody = (body: PlannedRequest["body"]): readonly string[] => {
  if (body?.type === "json") {
    return [`-d ${shellQuoted(body.text)}`];
  }
  if (body?.type === "file") {
    return [`--data-binary ${shellQuoted(`@${body.name}`)}`];
  }
  return (body?.parts ?? []).map(
    ({ name, text, isFile }) => `-F ${shellQuoted(`${name}=${isFile ? "@" : ""}${text}`)}`,
  );
};

/** With `fetch`, in Node.js. */
export const typescriptSample = (request: PlannedRequest): string => {
  const { method, url, headers, body, hasFile } = request;
  const uses = [
    ...(body !== undefined && body.type !== "json" && hasFiles(body) ? ["readFile"] : []),
    ...(hasFile && method !== "HEAD" ? ["writeFile"] : []),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: ${quoted(method)},`]),
    ...(headers.length === 0
      ? []
      : ["  headers: {", ...headers.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`), "  },"]),
    ...typescriptBody(body),
  ];
  return [
    ...(uses.length > 0 ? [`import { ${uses.join(", ")} } from "node:fs/promises";`, ""] : []),
    ...(body?.type === "form" ? [...typescriptForm(body.parts), ""] : []),
    options.length === 0
      ? `const response = await fetch(${quoted(url)});`
      : [`const response = await fetch(${quoted(url)}, {`, ...options, "});"].join("\n"),
    "if (!response.ok) throw new Error(await response.text());",
    typescriptResult(method, hasFile),
    "",
  ].join("\n");
};

const hasFiles = (body: NonNullable<PlannedRequest["body"]>): boolean =>
  body.type === "file" || (body.type === "form" && body.parts.some(({ isFile }) => isFile));

const typescriptBody = (body: PlannedRequest["body"]): readonly string[] => {
  if (body?.type === "json") {
    return [`  body: JSON.stringify(${indented(body.text, "  ")}),`];
  }
  if (body?.type === "file") {
    return [`  body: await readFile(${quoted(body.name)}),`];
  }
  return body?.type === "form" ? ["  body: form,"] : [];
};

const indented = (text: string, indent: string): string => text.replaceAll("\n", `\n${indent}`);

const typescriptForm = (parts: readonly FormPart[]): readonly string[] => [
  "const form = new FormData();",
  ...parts.map(({ name, text, isFile }) =>
    isFile
      ? `form.append(${quoted(name)}, new File([await readFile(${quoted(text)})], ${quoted(text)}));`
      : `form.append(${quoted(name)}, ${quoted(text)});`,
  ),
];

const typescriptResult = (method: string, hasFile: boolean): string => {
  if (method === "HEAD") {
    return "console.log(Object.fromEntries(response.headers));";
  }
  return hasFile
    ? `await writeFile(${quoted(RESULT)}, new Uint8Array(await response.arrayBuffer()));`
    : "console.log(await response.text());";
};

/** With the requests package. */
export const pythonSample = ({ method, url, headers, body, hasFile }: PlannedRequest): string => {
  const values = [
    ...(headers.length === 0
      ? []
      : ["    headers={", ...headers.map(([name, value]) => `        ${quoted(name)}: ${quoted(value)},`), "    },"]),
    ...pythonBody(body),
    "    timeout=60,",
  ];
  return [
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    `    ${quoted(url)},`,
    ...values,
    ")",
    "if not response.ok:",
    "    raise RuntimeError(response.text)",
    pythonResult(method, hasFile),
    "",
  ].join("\n");
};

const pythonBody = (body: PlannedRequest["body"]): readonly string[] => {
  if (body?.type === "json") {
    // JSON in a string, because its true and null are not those of Python.
    return [`    data=r"""${body.text}""",`];
  }
  if (body?.type === "file") {
    return [`    data=open(${quoted(body.name)}, "rb"),`];
  }
  const parts = body?.parts ?? [];
  const files = parts.filter(({ isFile }) => isFile);
  const fields = parts.filter(({ isFile }) => !isFile);
  return [
    ...(files.length > 0
      ? [`    files=[${files.map(({ name, text }) => `(${quoted(name)}, open(${quoted(text)}, "rb"))`).join(", ")}],`]
      : []),
    ...(fields.length > 0
      ? [`    data={${fields.map(({ name, text }) => `${quoted(name)}: ${quoted(text)}`).join(", ")}},`]
      : []),
  ];
};

const pythonResult = (method: string, hasFile: boolean): string => {
  if (method === "HEAD") {
    return "print(dict(response.headers))";
  }
  return hasFile ? `open(${quoted(RESULT)}, "wb").write(response.content)` : "print(response.text)";
};
