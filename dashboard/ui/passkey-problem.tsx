import { ApiProblem } from "../api.ts";
import { texts } from "../text.ts";
import { Notice, ProblemNotice } from "./notice.tsx";

/** Why a passkey was not used or added: WebAuthn errors by name, and the service's errors. */
export const PasskeyProblem = ({ error }: { readonly error: unknown }) => {
  const { passkeyProblems } = texts.value.signIn;
  if (error instanceof ApiProblem || !(error instanceof Error)) {
    return <ProblemNotice error={error} />;
  }
  const known: Readonly<Record<string, string>> = passkeyProblems;
  const words = known[error.name];
  return words === undefined ? <ProblemNotice error={error} /> : <Notice kind="warning">{words}</Notice>;
};
