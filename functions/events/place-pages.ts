import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { context as deployedContext } from "#context";
import { PAGE, pageMediaType } from "../domain/page-files.ts";
import type { Context } from "../domain/ports.ts";
import { asError, logger } from "../logger.ts";

/** What CloudFormation sends for a custom resource (AWS CloudFormation User Guide, "Custom resource request objects"). */
export interface ResourceEvent {
  readonly RequestType: "Create" | "Delete" | "Update";
  /** Signed, and good for the one answer. */
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
}

/** Names the pages of a stack, of which there is one set: a new build is an update of the same. */
const RESOURCE_ID = "pages";

/**
 * Puts the pages of the dashboard into their bucket. The page that names the others comes last, so that no visitor meets
 * one whose files are not there yet. Files of earlier builds stay: pages that are open still ask for them.
 */
export const placePages =
  ({ files }: Pick<Context, "files">, folder: string) =>
  async (): Promise<void> => {
    const names = globSync("**/*", { cwd: folder }).filter((name) => statSync(join(folder, name)).isFile());
    const last = PAGE.slice(1);
    if (!names.includes(last)) {
      throw new Error(`${folder} has no ${last}.`);
    }
    for (const name of [...names.filter((other) => other !== last), last]) {
      await files.storeFile(name, join(folder, name), pageMediaType(name));
    }
  };

/** Does what a deployment asks for, and tells it how that went: it waits for the answer, and rolls back on a bad one. */
export const answerDeployment =
  (place: () => Promise<void>) =>
  async (event: ResourceEvent): Promise<void> => {
    const failure = event.RequestType === "Delete" ? undefined : await failureOf(place);
    const { StackId, RequestId, LogicalResourceId } = event;
    const answer = {
      Status: failure === undefined ? "SUCCESS" : "FAILED",
      ...(failure !== undefined && { Reason: failure }),
      PhysicalResourceId: RESOURCE_ID,
      StackId,
      RequestId,
      LogicalResourceId,
    };
    // As bytes: the URL is signed for a request without a content type, which a text would bring.
    const reply = await fetch(event.ResponseURL, { method: "PUT", body: Buffer.from(JSON.stringify(answer)) });
    if (!reply.ok) {
      throw new Error(`CloudFormation did not take the answer: ${reply.status}.`);
    }
  };

const failureOf = async (place: () => Promise<void>): Promise<string | undefined> => {
  try {
    await place();
    return undefined;
  } catch (error) {
    logger.error("the pages were not placed", { error: asError(error) });
    return "The pages could not be placed; the function's log says why.";
  }
};

/** The bundle of the function has them beside it; from source they are where they were built. */
const pagesFolder = (): string =>
  join(import.meta.dirname, import.meta.filename.endsWith(".ts") ? "../../dist/dashboard" : "pages");

export const handler = (event: ResourceEvent): Promise<void> =>
  answerDeployment(() => placePages(deployedContext(), pagesFolder())())(event);
