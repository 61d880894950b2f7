/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles. Lambda only provides credentials in these three
 * variables, so providers for files, metadata servers and single sign-on would add 90 kB to each cold start.
 */
export const defaultProvider = () => async () => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (AWS_ACCESS_KEY_ID === undefined || AWS_SECRET_ACCESS_KEY === undefined) {
    throw new Error("Missing AWS credentials in the environment of the function.");
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN !== undefined && { sessionToken: AWS_SESSION_TOKEN }),
  };
};
