import { account } from "./de/account.ts";
import { common } from "./de/common.ts";
import { convert } from "./de/convert.ts";
import { docs } from "./de/docs.ts";
import { formats } from "./de/formats.ts";
import { jobs } from "./de/jobs.ts";
import { keys } from "./de/keys.ts";
import { landing } from "./de/landing.ts";
import { options } from "./de/options.ts";
import { plans } from "./de/plans.ts";
import { problems } from "./de/problems.ts";
import { reference } from "./de/reference.ts";
import { shell } from "./de/shell.ts";
import { signIn } from "./de/sign-in.ts";
import { status } from "./de/status.ts";
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
  webhooks,
  docs,
  formats,
  reference,
  status,
  options,
};
