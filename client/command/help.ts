import { exitCodes } from "./exit.ts";
import { type CommandName, commandTable, type OptionRow, rowOf } from "./table.ts";

const COLUMN = 26;

const line = (left: string, right: string): string => `  ${left.padEnd(COLUMN)}  ${right}`;

const optionLine = ([name, { short, value, text }]: [string, OptionRow]): string =>
  line(`${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`, text);

/** @returns the help of one command, or the overview */
export const help = (command?: CommandName): string => (command === undefined ? overview() : commandHelp(command));

const commandHelp = (command: CommandName): string => {
  const { usage, text, options } = rowOf(command);
  return [`anyform ${usage}`, "", `  ${text}`, "", ...Object.entries(options).map(optionLine)].join("\n").trimEnd();
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
    "",
    "Exit codes",
    ...Object.values(exitCodes).map(({ code, text }) => line(String(code), text)),
    "",
    "Examples",
    "  anyform convert *.heic --to jpg --out pictures/ --quality 80",
    "  anyform convert scans/*.png --to pdf --merge --out scans.pdf",
    "  anyform convert https://example.org/report.docx --to pdf",
    "  cat page.html | anyform convert - --from html --to pdf > page.pdf",
  ].join("\n");
