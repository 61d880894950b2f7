import { type JobErrorCode, jobErrors, RequestError, type RequestErrorCode, requestErrors } from "../domain/errors.ts";
import type { ApiRequest } from "./request.ts";

/** With a test key, the name of a file forces a failure, so that a client can try what it does then: `fail-timed_out.png`. */
const FORCED = /^fail-([a-z_]+)(?:\.|$)/;

const forcedIn = ({ isTest }: ApiRequest<unknown>, filename: string): string | undefined =>
  isTest ? FORCED.exec(filename)?.[1] : undefined;

/** @throws RequestError of the code that the name of the file asks for */
export const checkForcedRefusal = (request: ApiRequest<unknown>, filename: string): void => {
  const code = forcedIn(request, filename);
  if (code !== undefined && isRequestCode(code)) {
    throw new RequestError(code, "The name of the file asks for this error.");
  }
};

/** @returns the error that the name of the file asks the job to fail with */
export const forcedJobError = (request: ApiRequest<unknown>, filename: string): JobErrorCode | undefined => {
  const code = forcedIn(request, filename);
  return code !== undefined && isJobCode(code) ? code : undefined;
};

const isRequestCode = (code: string): code is RequestErrorCode => Object.hasOwn(requestErrors, code);
const isJobCode = (code: string): code is JobErrorCode => Object.hasOwn(jobErrors, code);
