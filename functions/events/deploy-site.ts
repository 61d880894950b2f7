import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { context as deployedContext } from "#context";
import type { Context } from "../domain/ports.ts";
import { OPERATOR_FILES, type OperatorTexts } from "../domain/site/operator-pages.ts";
import { PAGE, pageMediaType, type SiteSettings, servedBytes } from "../domain/site/page-files.ts";
import { asError, logger } from "../logger.ts";

/**
 * The request of CloudFormation for a custom resource (AWS CloudFormation User Guide, "Custom resource request
 * objects").
 */
export interface ResourceEvent {
  readonly RequestType: "Create" | "Delete" | "Update";
  /** Signed URL for the response. */
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
  readonly ResourceProperties: {
    /** The public origin of the pages, such as `https://anyform.example`. */
    readonly origin: string;
    /** @default none */
    readonly operatorTexts?: OperatorTexts;
  };
}

/** Identifies the pages of a stack. It is constant, so a new build is an update. */
const RESOURCE_ID = "pages";

/** Concurrent uploads. */
const UPLOADS_MAX = 16;

/**
 * Uploads the pages of the dashboard to their bucket. Pages are uploaded after the files that they reference, and the
 * front page last, so that visitors never get a page with missing files. Files of earlier builds are kept for pages that
 * are still open.
 */
export const deploySite =
  ({ files }: Pick<Context, "files">, folder: string) =>
  async (settings: SiteSettings): Promise<void> => {
    const names = globSync("**/*", { cwd: folder }).filter((name) => statSync(join(folder, name)).isFile());
    const front = PAGE.slice(1);
    if (!names.includes(front)) {
      throw new Error(`${folder} has no ${front}.`);
    }
    const isPage = (name: string): boolean => name.endsWith(".html");
    const groups = [names.filter((name) => !isPage(name)), names.filter((name) => isPage(name) && name !== front)];
    const temporary = mkdtempSync(join(tmpdir(), "pages-"));
    const upload = async (name: string): Promise<void> => {
      const bytes = servedBytes({ path: `/${name}`, bytes: readFileSync(join(folder, name)) }, settings);
      if (bytes !== undefined) {
        await store(name, bytes);
      }
    };
    const store = async (name: string, bytes: Buffer): Promise<void> => {
      const path = join(temporary, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes);
      await files.storeFile(name, path, pageMediaType(name));
    };
    try {
      for (const [name, text] of Object.entries(settings.operatorTexts ?? {})) {
        await store(`${OPERATOR_FILES.slice(1)}${name}`, Buffer.from(text));
      }
      for (const group of [...groups, [front]]) {
        for (let start = 0; start < group.length; start += UPLOADS_MAX) {
          await Promise.all(group.slice(start, start + UPLOADS_MAX).map(upload));
        }
      }
    } finally {
      rmSync(temporary, { recursive: true });
    }
  };

/** Handles a deployment request and reports the result. The deployment waits for it and rolls back on failure. */
export const handleDeployment =
  (upload: (settings: SiteSettings) => Promise<void>) =>
  async (event: ResourceEvent): Promise<void> => {
    const { origin, operatorTexts } = event.ResourceProperties;
    const failure =
      event.RequestType === "Delete" ? undefined : await failureOf(() => upload({ origin, operatorTexts }));
    const { StackId, RequestId, LogicalResourceId } = event;
    const body = {
      Status: failure === undefined ? "SUCCESS" : "FAILED",
      ...(failure !== undefined && { Reason: failure }),
      PhysicalResourceId: RESOURCE_ID,
      StackId,
      RequestId,
      LogicalResourceId,
    };
    // Sent as bytes: the URL is signed without a content type, which a string body would add.
    const response = await fetch(event.ResponseURL, { method: "PUT", body: Buffer.from(JSON.stringify(body)) });
    if (!response.ok) {
      throw new Error(`CloudFormation rejected the response with status ${response.status}.`);
    }
  };

const failureOf = async (upload: () => Promise<void>): Promise<string | undefined> => {
  try {
    await upload();
    return undefined;
  } catch (error) {
    logger.error("pages were not uploaded", { error: asError(error) });
    return "The pages could not be uploaded. See the function's log.";
  }
};

/** In a bundle, the pages are next to the code; from source, they are in the build folder. */
const pagesFolder = (): string =>
  join(import.meta.dirname, import.meta.filename.endsWith(".ts") ? "../../dist/dashboard" : "pages");

export const handler = (event: ResourceEvent): Promise<void> =>
  handleDeployment(deploySite(deployedContext(), pagesFolder()))(event);
