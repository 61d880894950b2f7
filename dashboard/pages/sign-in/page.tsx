import { useEffect, useState } from "preact/hooks";
import { Redirect, useSearch } from "wouter-preact";
import { ApiProblem } from "../../api.ts";
import { afterSignIn, ownPath } from "../../next.ts";
import { account, isMember, session, sessionEnded } from "../../session.ts";
import { texts } from "../../text.ts";
import { Loading, Notice, ProblemNotice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/parts.tsx";
import { AddressForm } from "./address-form.tsx";
import { CodeForm } from "./code-form.tsx";
import { type OwnerCode, ownerCode, signInAsOwner } from "./owner-link.ts";
import { PasskeyButton } from "./passkey-button.tsx";
import { forgetCode, type SentCode, sentCode } from "./sent-code.ts";
import "./sign-in.css";

/** Signs in with an email code or a passkey, then continues to the original page. */
export const SignInPage = () => {
  const { signIn } = texts.value;
  const next = ownPath(new URLSearchParams(useSearch()).get("next"));
  const [sent, setSent] = useState<SentCode | undefined>(sentCode);
  const { isSigningIn, problem } = useOwnerLink();
  if (isMember.value && account.value !== null) {
    forgetCode();
    return <Redirect to={afterSignIn(account.value.plan_picked, next)} replace />;
  }
  if (isSigningIn) {
    return <Loading />;
  }
  const restart = (): void => {
    forgetCode();
    setSent(undefined);
  };
  return (
    <div class="sign-in">
      {problem !== undefined && <LinkProblem error={problem} />}
      {sessionEnded.value && <Notice kind="info">{signIn.sessionEnded}</Notice>}
      {sent === undefined ? <Start onSent={setSent} /> : <CodeForm sent={sent} onSent={setSent} onRestart={restart} />}
    </div>
  );
};

/** Signs in with the code of the link that the service prints at its start, if the address has one. */
const useOwnerLink = (): { readonly isSigningIn: boolean; readonly problem: unknown } => {
  const [code, setCode] = useState<OwnerCode | undefined>(() => ownerCode(location));
  const [problem, setProblem] = useState<unknown>(undefined);
  useEffect(() => {
    if (code !== undefined) {
      signInAsOwner(code)
        .catch(setProblem)
        .finally(() => setCode(undefined));
    }
    // The address has a code only when the page is opened.
  }, []);
  return { isSigningIn: code !== undefined, problem };
};

const LinkProblem = ({ error }: { readonly error: unknown }) =>
  error instanceof ApiProblem && error.code === "wrong_code" ? (
    <Notice kind="warning">{texts.value.signIn.linkUsed}</Notice>
  ) : (
    <ProblemNotice error={error} />
  );

const Start = ({ onSent }: { readonly onSent: (sent: SentCode) => void }) => {
  const { signIn } = texts.value;
  return (
    <section class="card">
      <PageHead title={signIn.title} lead={signIn.lead} />
      {session.value.offers.codes ? (
        <AddressForm onSent={onSent} />
      ) : (
        <Notice kind="warning">
          <p>{signIn.notOffered}</p>
          <p>{signIn.notOfferedHow}</p>
        </Notice>
      )}
      <PasskeyButton />
    </section>
  );
};
