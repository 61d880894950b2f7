import module from "node:module";
import { join } from "node:path";

// Plain JavaScript that every Node version parses, so that an old version prints a message instead of a syntax error.
const NODE_MAJOR_MIN = 24;

if (Number(process.versions.node.split(".")[0]) < NODE_MAJOR_MIN) {
  console.error(
    `Anyform needs Node ${NODE_MAJOR_MIN} or later; this is ${process.version}. Run \`npm ci\` and \`npm start\`, which include it.`,
  );
  process.exit(1);
}

if (process.argv.includes("--help")) {
  console.log(`Usage: npm start

Runs the service on this machine: API, dashboard and converters. Settings are environment variables:

  PORT=8080                 port
  HOST=127.0.0.1            address to listen on
  DATA_DIR=.data            directory of the database, files and the first API key
  ANYFORM_PUBLIC_URL        URL of the service, behind a proxy
  ANYFORM_SMTP_URL          mail server; by default sign-in codes are printed here
  ANYFORM_ISOLATION=auto    \`require\` refuses to start without a complete sandbox

All settings: docs/configuration.md. Related commands:

  npm run engines           install the programs that conversions need
  npm run accounts          manage accounts, plans and keys
  npm run backup            save the data directory to a file; npm run restore restores it
  npm run convert           convert files without the service`);
  process.exit(0);
}

process.env.POWERTOOLS_LOG_LEVEL ??= "WARN";
// Compiling the sources takes half of the start. If this folder cannot be written, they are compiled each time.
// Converters inherit the variable.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../node_modules/.cache/compiled");
module.enableCompileCache?.();
// `import` reads all enumerable properties of a module of Node. Reading these compiles Node's clients of WebSocket and
// HTTP/2, which take 45 ms and 10 MB, and which this process does not use.
const http = process.getBuiltinModule("node:http");
for (const name of ["WebSocket", "CloseEvent", "MessageEvent"]) {
  Object.defineProperty(http, name, { enumerable: false });
}
const { bundledStart } = await import("./bundle/service-bundle.ts");
await import(bundledStart() ?? "./main.ts");
module.flushCompileCache?.();
