/** `node bench [NAME] [OPTIONS]` runs one benchmark; the options are described in its file. Trust ratios, not seconds. */

interface Benchmark {
  /** Description of the benchmark. */
  readonly about: string;
  readonly run: () => Promise<unknown>;
}

const benchmarks: Readonly<Record<string, Benchmark>> = {
  api: { about: "upload, convert and download against the bare engine", run: () => import("./api/api.ts") },
  engines: { about: "engines against the best bare tools", run: () => import("./engines/engines.ts") },
  pairs: { about: "one conversion of each pair, slowest first", run: () => import("./engines/pairs.ts") },
  load: { about: "the one-machine service under load, and its queue", run: () => import("./load/load.ts") },
  cost: { about: "cost of 1,000 conversions on AWS", run: () => import("./cloud/cost.ts") },
  scale: { about: "a model of AWS under load, and its first bottleneck", run: () => import("./cloud/scale.ts") },
  imports: { about: "CPU time of importing each function's bundle", run: () => import("./engines/imports.ts") },
  minute: { about: "seconds from a stranger to a converted file, and to a key", run: () => import("./minute.ts") },
  pages: { about: "Lighthouse scores of every page", run: () => import("./pages.ts") },
  pdf: { about: "quality of PDF → DOCX, HTML, text and XLSX", run: () => import("./pdf/main.ts") },
  papers: { about: "changes of PDFs next to Ghostscript and qpdf", run: () => import("./papers.ts") },
  web: { about: "a web page to PDF next to the browser's print", run: () => import("./web.ts") },
  faithful: {
    about: "content of results against their sources and the reference tools",
    run: () => import("./faithful/main.ts"),
  },
  peers: { about: "other services and bare tools next to this one", run: () => import("./peers/main.ts") },
  gateway: { about: "CPU time of one process per request, without converters", run: () => import("./gateway/main.ts") },
  sandbox: { about: "overhead of the sandbox", run: () => import("./engines/sandbox.ts") },
};

const usage = [
  "Usage: node bench [NAME] [OPTIONS]",
  ...Object.entries(benchmarks).map(([name, { about }]) => `  ${name.padEnd(9)}${about}`),
].join("\n");

const [name = "api"] = process.argv.slice(2);
const chosen = benchmarks[name];
if (name === "--help") {
  console.log(usage);
} else if (chosen === undefined) {
  console.error(`Unknown benchmark "${name}".\n\n${usage}`);
  process.exitCode = 2;
} else {
  // Each benchmark parses its options.
  process.argv.splice(2, 1);
  await chosen.run();
}
