import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import type { PageMachines } from "../../domain/page-machines.ts";
import type { Bucket } from "../s3/files.ts";
import { signedPutOfAnySize } from "../s3/transfers.ts";

/** The longest run of a function, in milliseconds. */
const FUNCTION_MS_MAX = 900_000;

/** A call is not repeated here: the queue repeats the job, in a new machine. */
export const lambdaClient = (): LambdaClient =>
  new LambdaClient({ maxAttempts: 1, requestHandler: { connectionTimeout: 5_000, socketTimeout: FUNCTION_MS_MAX } });

/** Bytes of an error that are logged. */
const ERROR_BYTES_MAX = 2_000;

/**
 * A function that isolates tenants, where each machine is a tenant (AWS Lambda Developer Guide, "Tenant isolation").
 * `call` throws when the function throws, crashes, exceeds its limits, or cannot be started.
 *
 * @param name of the function
 */
export const lambdaPageMachines = (client: LambdaClient, name: string, bucket: Bucket): PageMachines => ({
  call: async (request, { machine, signal }) => {
    const { FunctionError, Payload = new Uint8Array() } = await client.send(
      new InvokeCommand({ FunctionName: name, TenantId: machine, Payload: Buffer.from(JSON.stringify(request)) }),
      { abortSignal: signal },
    );
    const text = Buffer.from(Payload).toString();
    if (FunctionError !== undefined) {
      throw new Error(`The function ended with ${FunctionError}: ${text.slice(0, ERROR_BYTES_MAX)}`);
    }
    return JSON.parse(text);
  },
  putUrl: (key, expiresAt) => signedPutOfAnySize(bucket, key, expiresAt),
});
