import * as z from "zod/mini";
import { PLAN_NOTE_CHARACTERS_MAX } from "../domain/account-limits.ts";
import { RETENTION_HOURS_MAX } from "../domain/limits.ts";
import { described } from "../domain/options/described.ts";
import { webhookUrl } from "./conversion-request.ts";

/** The bodies that change an account. */

export const choosePlanRequest = z.strictObject({
  plan: described(z.enum(["free", "api", "enterprise"]), "The plan that is wanted."),
  note: z.optional(
    described(
      z.string().check(z.maxLength(PLAN_NOTE_CHARACTERS_MAX)),
      "What the operator should know of it: how many requests a month, for example.",
    ),
  ),
});

export type ChoosePlanRequest = z.infer<typeof choosePlanRequest>;

export const updateAccountRequest = z.strictObject({
  webhook_url: z.optional(
    z.nullable(
      described(webhookUrl(), "Where the end of jobs is told that name no address of their own; null: nowhere."),
    ),
  ),
  retention_hours: z.optional(
    described(
      z.int().check(z.minimum(0), z.maximum(RETENTION_HOURS_MAX)),
      "Hours that files stay after their job has ended; 0: until the first download. It holds for jobs from now on.",
    ),
  ),
});

export type UpdateAccountRequest = z.infer<typeof updateAccountRequest>;
