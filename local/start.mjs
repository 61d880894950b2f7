// Plain JavaScript that any Node reads, so that one that is too old gets a sentence and not a syntax error.
const NODE_MAJOR_MIN = 24;

if (Number(process.versions.node.split(".")[0]) < NODE_MAJOR_MIN) {
  console.error(
    `Anyform needs Node ${NODE_MAJOR_MIN} or later and this is ${process.version}: run \`npm ci\` and \`npm start\`, which bring their own.`,
  );
  process.exit(1);
}

process.env.POWERTOOLS_LOG_LEVEL ??= "WARN";
await import("./main.ts");
