import { exitCodes } from "../exit.ts";
import { type CommandName, commandTable, rowOf } from "./table.ts";
import type { OptionRow } from "./table-rows.ts";

const COLUMN = 26;

const line = (left: string, right: string): string => `  ${left.padEnd(COLUMN)}  ${right}`;

const optionLine = ([name, { short, value, text }]: [string, OptionRow]): string =>
  line(`${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`, text);

/** @returns the help of one command, or the overview */
export const help = (command?: CommandName): string => (command === undefined ? overview() : commandHelp(command));

const commandHelp = (command: CommandName): string => {
  const { usage, text, options, notes = [] } = rowOf(command);
  const lines = [
    ...usage.map((each) => `anyform ${each}`),
    "",
    `  ${text}`,
    "",
    ...Object.entries(options).map(optionLine),
  ];
  return [...lines, "", ...notes.map((note) => `  ${note}`)].join("\n").trimEnd();
};

const overview = (): string =>
  [
    "anyform COMMAND",
    "",
    ...Object.entries(commandTable).map(([name, { text }]) => line(name, text)),
    line("COMMAND --help", "show the options of a command"),
    line("--version", "show the version"),
    "",
    "Environment",
    line("ANYFORM_URL", "URL of the service; overrides the URL saved by `anyform login`"),
    line("ANYFORM_API_KEY", "API key; overrides the saved key"),
    line("ANYFORM_RETRIES", "retries of a failed request, 0 to 100; default 9, or 4 for an unreachable service"),
    line("NO_COLOR, CI", "if set: no colors, no progress bar"),
    "",
    "Exit codes",
    ...Object.values(exitCodes).map(({ code, text }) => line(String(code), text)),
    "",
    "Examples",
    "  anyform convert holiday.heic holiday.jpg",
    "  anyform convert *.heic --to jpg --out pictures/ --quality 80",
    "  anyform convert photos/ --to webp --out small/ --skip-existing",
    "  anyform convert scans/*.png --to pdf --merge --out scans.pdf",
    "  anyform convert https://example.org/report.docx --to pdf",
    "  cat page.html | anyform convert - --from html --to pdf > page.pdf",
    "  anyform watch inbox/ --to pdf --out outbox/",
    "  anyform webhooks listen --forward http://127.0.0.1:3000/hook",
  ].join("\n");
