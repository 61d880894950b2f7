import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

describe("every command", () => {
  it.each([
    ["npm start", ["local/start.mjs"]],
    ["npm run accounts", ["--conditions=anyform-local", "local/accounts.ts"]],
    ["npm run convert", ["local/convert.ts"]],
    ["npm run -s backup", ["local/backup.ts", "backup"]],
    ["npm run engines", ["local/engines/install-engines.ts"]],
    ["node bench", ["bench"]],
    ["anyform", ["client/command.ts"]],
  ])("%s prints its usage with --help, and exits with code 0", (name, args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...args, "--help"], {
      cwd: root,
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(stdout).toMatch(name === "anyform" ? /^anyform COMMAND\n/ : new RegExp(`^Usage: ${name}\\b`));
    expect(status).toBe(0);
  });
});
