import { jobErrors } from "../../domain/errors/job-errors.ts";
import { requestErrors } from "../../domain/errors/request-errors.ts";
import { type JobErrorCode, RequestError, type RequestErrorCode } from "../../domain/errors.ts";
import type { ApiRequest } from "../request.ts";

/** With a test key, a filename simulates an error, so that clients can test how they handle it: `fail-timed_out.png`. */
const SIMULATED = /^fail-([a-z_]+)(?:\.|$)/;

const simulatedIn = ({ isTest }: ApiRequest<unknown>, filename: string): string | undefined =>
  isTest ? SIMULATED.exec(filename)?.[1] : undefined;

/** @throws RequestError with the code in the filename */
export const checkSimulatedRefusal = (request: ApiRequest<unknown>, filename: string): void => {
  const code = simulatedIn(request, filename);
  if (code !== undefined && isRequestCode(code)) {
    throw new RequestError(code, "This error is simulated by the filename.");
  }
};

/** @returns the error that the job fails with, from the filename */
export const simulatedJobError = (request: ApiRequest<unknown>, filename: string): JobErrorCode | undefined => {
  const code = simulatedIn(request, filename);
  return code !== undefined && isJobCode(code) ? code : undefined;
};

const isRequestCode = (code: string): code is RequestErrorCode => Object.hasOwn(requestErrors, code);
const isJobCode = (code: string): code is JobErrorCode => Object.hasOwn(jobErrors, code);
