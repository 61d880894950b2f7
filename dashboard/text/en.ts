import { account } from "./en/account.ts";
import { common } from "./en/common.ts";
import { convert } from "./en/convert.ts";
import { docs } from "./en/docs.ts";
import { formats } from "./en/formats.ts";
import { jobs } from "./en/jobs.ts";
import { keys } from "./en/keys.ts";
import { landing } from "./en/landing.ts";
import { operator } from "./en/operator.ts";
import { options } from "./en/options.ts";
import { plans } from "./en/plans.ts";
import { presets } from "./en/presets.ts";
import { problems } from "./en/problems.ts";
import { reference } from "./en/reference.ts";
import { requests } from "./en/requests.ts";
import { shell } from "./en/shell.ts";
import { signIn } from "./en/sign-in.ts";
import { status } from "./en/status.ts";
import { storages } from "./en/storages.ts";
import { usage } from "./en/usage.ts";
import { webhooks } from "./en/webhooks.ts";

/** English, the source language. */
export const en = {
  common,
  problems,
  shell,
  convert,
  landing,
  signIn,
  plans,
  account,
  keys,
  usage,
  jobs,
  requests,
  webhooks,
  storages,
  presets,
  docs,
  formats,
  reference,
  status,
  operator,
  options,
};
