import { createHash } from "node:crypto";
import type { JobView } from "../../../functions/domain/jobs/job-views.ts";
import { downloaded } from "../play.ts";
import { type Aftermath, type EndedJob, type Verdict, verdict } from "./aftermath.ts";
import { contentOf, isSame, type Reference } from "./reference.ts";

/** Downloads each result, compares its hash, opens it, and compares it with the result without faults. */
export const judgeResults = async (aftermath: Aftermath, jobs: readonly EndedJob[]): Promise<Verdict> => {
  const { references, ledger, send } = aftermath;
  const completed = jobs.filter(({ view }) => view?.status === "completed");
  const broken: string[] = [];
  let checked = 0;
  for (const { id, view, facts, key } of completed) {
    const bytes = await downloaded({ send, ledger, key }, facts.plan, view?.result?.download_token ?? "");
    // An account that has used up its month cannot download anything.
    if (bytes?.length === 0) {
      continue;
    }
    checked += 1;
    const wrong = await faultOf(bytes, view, references.get(facts.plan.recipe.name));
    broken.push(...(wrong === undefined ? [] : [`${id} (${facts.plan.recipe.name}): ${wrong}`]));
  }
  return verdict("each result opens, matches its hash and equals the result without faults", checked, broken);
};

const faultOf = async (
  bytes: Buffer | undefined,
  view: JobView | undefined,
  reference: Reference | undefined,
): Promise<string | undefined> => {
  if (bytes === undefined) {
    return "it cannot be downloaded";
  }
  if (createHash("sha256").update(bytes).digest("hex") !== view?.result?.sha256) {
    return "its hash differs";
  }
  const content = await contentOf(bytes, view.result.filename).catch((error: unknown) => String(error));
  if (typeof content === "string") {
    return content;
  }
  return reference?.content && isSame(content, reference.content)
    ? undefined
    : `${JSON.stringify(content)} is not ${JSON.stringify(reference?.content)}`;
};
