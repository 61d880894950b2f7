import { account } from "./de/account.ts";
import { common } from "./de/common.ts";
import { convert } from "./de/convert.ts";
import { docs } from "./de/docs.ts";
import { formats } from "./de/formats.ts";
import { jobs } from "./de/jobs.ts";
import { keys } from "./de/keys.ts";
import { landing } from "./de/landing.ts";
import { operator } from "./de/operator.ts";
import { options } from "./de/options.ts";
import { plans } from "./de/plans.ts";
import { presets } from "./de/presets.ts";
import { problems } from "./de/problems.ts";
import { reference } from "./de/reference.ts";
import { requests } from "./de/requests.ts";
import { shell } from "./de/shell.ts";
import { signIn } from "./de/sign-in.ts";
import { status } from "./de/status.ts";
import { storages } from "./de/storages.ts";
import { usage } from "./de/usage.ts";
import { webhooks } from "./de/webhooks.ts";
import type { en } from "./en.ts";

/** German. */
export const de: typeof en = {
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
