import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/**
 * A folder on a separate disk that can be filled and made read-only: a `tmpfs` in a mount namespace, which needs no
 * rights where the system allows user namespaces. It lasts as long as the shell that holds the namespace.
 */
export interface SmallDisk {
  /** The folder as this process sees it. */
  readonly path: string;
  /** The folder as a process in the namespace sees it, and the command that starts one there. */
  readonly inside: { readonly path: string; readonly through: readonly string[] };
  /** Fills all free space, until the returned function is called. */
  fill(): () => void;
  /** Makes a folder read-only; files that are open stay open. */
  close(name: string): Promise<void>;
  open(name: string): Promise<void>;
  remove(): Promise<void>;
}

const root = join(import.meta.dirname, "../..");
const BLOCK = Buffer.alloc(1_000_000);

/** @param megabytes of 1,048,576 bytes @returns the disk; undefined if the system does not allow one */
export const smallDisk = async (megabytes: number): Promise<SmallDisk | undefined> => {
  const folder = await mkdtemp(join(tmpdir(), "anyform-chaos-"));
  const shell = spawn("unshare", ["--user", "--map-root-user", "--mount", "sh"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const say = speaker(shell);
  if (!(await say(`mount -t tmpfs -o size=${megabytes}m tmpfs ${folder}`))) {
    shell.kill("SIGKILL");
    rmSync(folder, { recursive: true });
    return undefined;
  }
  const path = `/proc/${shell.pid}/root${folder}`;
  mkdirSync(join(path, "data/files"), { recursive: true });
  return {
    path: join(path, "data"),
    inside: {
      path: join(folder, "data"),
      // Entering changes to the root folder, and programs start in the current folder.
      through: [
        ...["nsenter", "--preserve-credentials", "--user", "--mount", `--target=${shell.pid}`, "--"],
        ...["env", `--chdir=${root}`],
      ],
    },
    fill: () => {
      const ballast = join(path, "ballast");
      takeAll(ballast);
      return () => rmSync(ballast, { force: true });
    },
    close: async (name) => {
      const place = join(folder, "data", name);
      await say(`mount --bind ${place} ${place} && mount -o remount,bind,ro ${place}`);
    },
    open: async (name) => void (await say(`umount --lazy ${join(folder, "data", name)}`)),
    remove: async () => {
      const exited = once(shell, "exit");
      shell.kill("SIGKILL");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** @returns a function that runs a command in the shell. @returns whether it succeeded */
const speaker = (shell: ChildProcess): ((command: string) => Promise<boolean>) => {
  const lines = shell.stdout && createInterface({ input: shell.stdout });
  const ended = once(shell, "exit").then(
    () => ["ended"],
    () => ["missing"],
  );
  return async (command) => {
    const answered = lines === null ? ended : once(lines, "line");
    shell.stdin?.write(`${command} >&2; echo $?\n`);
    const [code] = await Promise.race([answered, ended]);
    return code === "0";
  };
};

const takeAll = (path: string): void => {
  const file = openSync(path, "w");
  try {
    for (;;) {
      writeSync(file, BLOCK);
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) {
      throw error;
    }
  } finally {
    closeSync(file);
  }
};
