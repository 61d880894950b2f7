import { type CommandRow, jobs, json, option, page, quiet, steps } from "./table-rows.ts";

/** The commands and their options. `--help`, the parser and the completions are generated from this table. */

export const commandTable = {
  convert: {
    usage: [
      "convert INPUT OUTPUT [--OPTION VALUE]...",
      "convert INPUT... --to FORMAT [--out PATH] [--OPTION VALUE]...",
      "convert URL... --page --to pdf [--out PATH] [--OPTION VALUE]...",
      "convert KEY... --storage NAME --to FORMAT [--out PATH] [--OPTION VALUE]...",
    ],
    text: "convert files, folders, URLs (http:, https:), or standard input (-)",
    words: "files",
    options: {
      to: {
        type: "string",
        value: "FORMAT",
        text: "target format: jpg, pdf, image/png, ...; default: the extension of OUTPUT",
      },
      preset: { type: "string", value: "NAME", text: "saved preset; its target format is the default of --to" },
      out: {
        type: "string",
        short: "o",
        value: "PATH",
        text: "output folder, file (one input only), or - for standard output; default: the input's folder",
      },
      option,
      steps,
      export: {
        type: "string",
        value: "TARGET",
        text: "send the results to a URL, or to STORAGE or STORAGE/KEY; see `anyform storages`",
      },
      storage: { type: "string", value: "NAME", text: "read the inputs from this saved storage; they are keys in it" },
      webhook: { type: "string", value: "URL", text: "URL that receives the end of each job" },
      metadata: {
        type: "string",
        value: "NAME=VALUE",
        multiple: true,
        text: "text that is saved with the jobs and sent with their webhooks",
      },
      merge: { type: "boolean", text: "merge all inputs into one file" },
      jobs,
      from: {
        type: "string",
        value: "FORMAT",
        text: "format of standard input, if it cannot be detected from the content",
      },
      name: { type: "string", value: "NAME", text: "file name of standard input" },
      page: { type: "boolean", text: "load the URLs as web pages in a browser, instead of downloading files" },
      resume: { type: "string", value: "UPLOAD", text: "resume an interrupted upload" },
      "skip-existing": { type: "boolean", text: "skip inputs whose output exists, without an error" },
      force: { type: "boolean", short: "f", text: "overwrite existing files" },
      json: { type: "boolean", text: "print one line of JSON per input" },
      quiet,
    },
    notes: [
      "A folder stands for the files in it and its subfolders that can be converted. Their subfolders are",
      "kept below --out. Hidden files, symbolic links and, without --out, files of the target format are left out.",
    ],
  },
  watch: {
    usage: ["watch FOLDER --to FORMAT [--out FOLDER] [--OPTION VALUE]..."],
    text: "convert the files in a folder, and those that are added to it",
    words: "files",
    options: {
      to: { type: "string", value: "FORMAT", text: "target format: jpg, pdf, image/png, ..." },
      out: { type: "string", short: "o", value: "FOLDER", text: "folder of the results; default: the watched folder" },
      option,
      jobs,
      interval: { type: "string", value: "SECONDS", text: "seconds between two scans of the folder; default 2" },
      force: { type: "boolean", short: "f", text: "replace results that are older than their file" },
      json: { type: "boolean", text: "print one line of JSON per file" },
      quiet,
    },
    notes: [
      "A file is converted when its size and time have not changed between two scans. A file that failed is",
      "tried again when it changes. Results that existed before are kept. While the service is unavailable,",
      "the command waits. Ctrl-C ends it after the files in progress; a second Ctrl-C ends it immediately.",
    ],
  },
  download: {
    usage: ["download JOB [--out PATH]"],
    text: "save the result of a job, after waiting for its end",
    options: {
      out: {
        type: "string",
        short: "o",
        value: "PATH",
        text: "output folder, file, or - for standard output; default: the name of the result",
      },
      force: { type: "boolean", short: "f", text: "overwrite an existing file" },
      json,
      quiet,
    },
  },
  formats: {
    usage: ["formats [SOURCE] [--to TARGET]"],
    text: "list formats, or the conversions of a format with their options",
    options: { to: { type: "string", value: "TARGET", text: "list only conversions into this format" }, json },
  },
  pipeline: {
    usage: ["pipeline run FILE.json --input NAME=PATH... [--out FOLDER]"],
    text: "run the steps in a JSON file, and save their results",
    words: "files",
    options: {
      input: {
        type: "string",
        short: "i",
        value: "NAME=PATH",
        multiple: true,
        text: "file or URL of an input, by the name that steps read it under",
      },
      out: { type: "string", short: "o", value: "FOLDER", text: "output folder; default: the current folder" },
      force: { type: "boolean", short: "f", text: "overwrite existing files" },
      json,
      quiet,
    },
    notes: ['FILE.json: {"steps": [{"name": "pdf", "operation": "convert", "target_format": "pdf"}]}'],
  },
  presets: {
    usage: [
      "presets",
      "presets save NAME [--to FORMAT] [--OPTION VALUE]... [--steps FILE.json]",
      "presets show NAME",
      "presets delete NAME",
    ],
    text: "list, save, show or delete presets: target format, options and steps for --preset",
    words: ["save", "show", "delete"],
    options: { to: { type: "string", value: "FORMAT", text: "target format" }, option, steps, json },
  },
  storages: {
    usage: [
      "storages",
      "storages save NAME --bucket BUCKET --id ACCESS_KEY_ID [--endpoint URL] [--region REGION] [--virtual-host]",
      "storages save NAME --webdav URL [--id USER]",
      "storages test NAME",
      "storages delete NAME",
    ],
    text: "list, save, test or delete S3 buckets and WebDAV folders for imports and exports",
    words: ["save", "test", "delete"],
    options: {
      bucket: { type: "string", value: "BUCKET", text: "bucket of S3 or of a compatible service" },
      endpoint: { type: "string", value: "URL", text: "URL of the service; default: Amazon S3 in the region" },
      region: { type: "string", value: "REGION", text: "region of the bucket; default: us-east-1" },
      "virtual-host": { type: "boolean", text: "the bucket is part of the host name, not of the path" },
      webdav: { type: "string", value: "URL", text: "folder of a WebDAV server" },
      id: { type: "string", value: "ID", text: "ID of the access key, or user of WebDAV" },
      json,
    },
    notes: ["The secret access key or password is read from the terminal or standard input, and never printed."],
  },
  status: {
    usage: ["status JOB [--wait]"],
    text: "show the status of a job",
    options: { wait: { type: "boolean", text: "wait until the job ends" }, json },
  },
  jobs: {
    usage: ["jobs [--search TEXT] [--status STATUS] [--source FORMAT] [--target FORMAT] [--since TIME] [--limit N]"],
    text: "list jobs, newest first",
    options: {
      status: {
        type: "string",
        value: "STATUS",
        text: "list only jobs with this status",
        choices: ["queued", "processing", "completed", "failed", "cancelled", "expired"],
      },
      search: {
        type: "string",
        value: "TEXT",
        text: "list only the job with this ID, or jobs with this text in a filename",
      },
      source: { type: "string", value: "FORMAT", text: "list only jobs from this format" },
      target: { type: "string", value: "FORMAT", text: "list only jobs to this format" },
      ...page,
      json,
    },
  },
  account: { usage: ["account"], text: "show plan and quota", options: { json } },
  usage: {
    usage: ["usage [--month MONTH] [--details]"],
    text: "show the requests of a month by day, or its jobs by key, formats and outcome",
    options: {
      month: {
        type: "string",
        value: "MONTH",
        text: "UTC month of the last two years, such as 2026-11; default: this",
      },
      details: { type: "boolean", text: "show the jobs by day, API key, formats and outcome, with their bytes" },
      json,
    },
  },
  requests: {
    usage: ["requests [--status CLASS] [--error CODE] [--operation ID] [--since TIME] [--limit N]", "requests REQUEST"],
    text: "list the requests of the last 30 days, including refused ones, or show one with its response",
    options: {
      status: {
        type: "string",
        value: "CLASS",
        text: "list only requests with these statuses",
        choices: ["2xx", "3xx", "4xx", "5xx"],
      },
      error: { type: "string", value: "CODE", text: "list only requests with this error code" },
      operation: { type: "string", value: "ID", text: "list only requests of this operation, such as createJob" },
      "request-id": { type: "string", value: "ID", text: "list only the request with this `X-Request-Id`" },
      job: { type: "string", value: "JOB", text: "list only requests about this job" },
      ...page,
      json,
    },
  },
  keys: {
    usage: ["keys"],
    text: "show the API key in use, and where keys are managed",
    options: { json },
    notes: ["API keys cannot list, create or delete keys. That requires signing in to the dashboard."],
  },
  webhooks: {
    usage: [
      "webhooks listen [--forward URL] [--events TYPE,...]",
      "webhooks secret",
      "webhooks endpoints",
      "webhooks add URL [--events TYPE,...]",
      "webhooks test|enable|disable|remove ID",
    ],
    text: "print the events of jobs and forward them to a local URL, or manage webhook endpoints and secrets",
    words: ["listen", "secret", "endpoints", "add", "test", "enable", "disable", "remove"],
    options: {
      forward: {
        type: "string",
        value: "URL",
        text: "URL that receives the events, such as http://127.0.0.1:3000/hook",
      },
      events: {
        type: "string",
        value: "TYPE,...",
        text: "only events of these types: job.completed, job.failed, job.cancelled; for `add`, also those of pipelines and quotas",
        choices: ["job.completed", "job.failed", "job.cancelled"],
      },
      interval: { type: "string", value: "SECONDS", text: "seconds between two requests for events; default 2" },
      json: { type: "boolean", text: "print one line of JSON per event, secret or endpoint" },
    },
    notes: [
      "Lists the account's jobs repeatedly, and creates the event of each job that ends, whether or not it has a",
      "webhook URL. The body, the message ID and the signature are those that the service sends. An event is sent",
      "up to four times until the URL answers with a 2xx status. Requires the scopes `read` and `webhooks`.",
    ],
  },
  login: {
    usage: ["login [--url URL] [--data-dir FOLDER]"],
    text: "save the service URL and an API key, read from the terminal or standard input",
    options: {
      url: { type: "string", value: "URL", text: "URL of the service" },
      "data-dir": { type: "string", value: "FOLDER", text: "use the owner's key of a service on this machine" },
    },
  },
  mcp: {
    usage: ["mcp [--root FOLDER]..."],
    text: "serve the Model Context Protocol on standard input and output",
    options: {
      root: {
        type: "string",
        value: "FOLDER",
        multiple: true,
        text: "folder whose files may be read and written; default: the current folder",
      },
    },
  },
  completion: {
    usage: ["completion bash|zsh|fish"],
    text: "print shell completions",
    words: ["bash", "zsh", "fish"],
    options: {},
  },
} as const satisfies Readonly<Record<string, CommandRow>>;

export type CommandName = keyof typeof commandTable;

export const isCommand = (name: string | undefined): name is CommandName =>
  name !== undefined && Object.hasOwn(commandTable, name);

export const rowOf = (name: CommandName): CommandRow => commandTable[name];
