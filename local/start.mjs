// Plain JavaScript that every Node version parses, so that an old version prints a message instead of a syntax error.
const NODE_MAJOR_MIN = 24;

if (Number(process.versions.node.split(".")[0]) < NODE_MAJOR_MIN) {
  console.error(
    `Anyform needs Node ${NODE_MAJOR_MIN} or later; this is ${process.version}. Run \`npm ci\` and \`npm start\`, which include it.`,
  );
  process.exit(1);
}

process.env.POWERTOOLS_LOG_LEVEL ??= "WARN";
await import("./main.ts");
