import { execFileSync, spawnSync } from "node:child_process";

/** The difference from a base commit. */
export interface Changes {
  /** The base commit, described for people. */
  readonly base: string;
  readonly commit: string;
  /** Paths of changed, new and deleted files, from the root of the repository. */
  readonly files: readonly string[];
}

const GIT_OUTPUT_BYTES_MAX = 50_000_000;

/**
 * Compares the working tree with `ANYFORM_BASE`, else with the merge base with `origin/main` or `main`, else, on `main`
 * itself, with the previous commit.
 *
 * @returns undefined if git cannot tell: no repository, a shallow clone, a missing base
 */
export const changesHere = (root: string): Changes | undefined => {
  const base = baseOf(root);
  if (base === undefined) {
    return undefined;
  }
  const changed = git(root, "diff", "--name-only", "--no-renames", "-z", base.commit);
  const untracked = git(root, "ls-files", "--others", "--exclude-standard", "-z");
  if (changed === undefined || untracked === undefined) {
    return undefined;
  }
  return { ...base, files: `${changed}${untracked}`.split("\0").filter((path) => path !== "") };
};

/** @returns the text of a file at a commit; undefined if it did not exist */
export const textAt = (root: string, commit: string, path: string): string | undefined =>
  git(root, "show", `${commit}:${path}`);

/** Extracts folders of a commit into a folder. */
export const unpackAt = (root: string, commit: string, [folder, ...paths]: readonly [string, ...string[]]): void => {
  const tar = execFileSync("git", ["archive", commit, ...paths], { cwd: root, maxBuffer: GIT_OUTPUT_BYTES_MAX });
  execFileSync("tar", ["-x", "-C", folder], { input: tar });
};

const baseOf = (root: string): Pick<Changes, "base" | "commit"> | undefined => {
  const head = commitOf(root, "HEAD");
  const given = process.env.ANYFORM_BASE;
  if (given) {
    const commit = commitOf(root, given);
    return commit === undefined ? undefined : { base: `ANYFORM_BASE ${given}`, commit };
  }
  for (const branch of ["origin/main", "main"]) {
    const commit = git(root, "merge-base", "HEAD", branch)?.trim();
    if (commit !== undefined && commit !== head) {
      return { base: `the merge base with ${branch}`, commit };
    }
  }
  const before = commitOf(root, "HEAD~1");
  return before === undefined ? undefined : { base: "the commit before HEAD", commit: before };
};

const commitOf = (root: string, name: string): string | undefined =>
  git(root, "rev-parse", "--verify", "--quiet", `${name}^{commit}`)?.trim();

const git = (root: string, ...args: readonly string[]): string | undefined => {
  const options = { cwd: root, encoding: "utf8", maxBuffer: GIT_OUTPUT_BYTES_MAX } as const;
  const { status, stdout } = spawnSync("git", args, options);
  return status === 0 ? stdout : undefined;
};
