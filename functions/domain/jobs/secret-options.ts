import type { Options } from "../conversions/options.ts";

/** Apart from the table of options, which a function that only shows them would otherwise contain. */

/** @returns the options without secrets, and without the content of forms, which is not a setting */
export const shownOptions = ({
  password,
  user_password,
  owner_password,
  form_data,
  cookies,
  request_headers,
  ...options
}: Options): Options => options;

/** @returns whether the options contain a secret, which must not outlive the job's work */
export const hasSecrets = (options: Options): boolean =>
  Object.keys(shownOptions(options)).length < Object.keys(options).length;
