import { useState } from "preact/hooks";
import { Redirect, useSearch } from "wouter-preact";
import { afterSignIn, ownPath } from "../../next.ts";
import { account, isMember, session, sessionEnded } from "../../session.ts";
import { texts } from "../../text.ts";
import { Notice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/parts.tsx";
import { AddressForm } from "./address-form.tsx";
import { CodeForm } from "./code-form.tsx";
import { PasskeyButton } from "./passkey-button.tsx";
import { forgetCode, type SentCode, sentCode } from "./sent-code.ts";
import "./sign-in.css";

/** Signs in with an email code or a passkey, then continues to the original page. */
export const SignInPage = () => {
  const { signIn } = texts.value;
  const next = ownPath(new URLSearchParams(useSearch()).get("next"));
  const [sent, setSent] = useState<SentCode | undefined>(sentCode);
  if (isMember.value && account.value !== null) {
    forgetCode();
    return <Redirect to={afterSignIn(account.value.plan_picked, next)} replace />;
  }
  const restart = (): void => {
    forgetCode();
    setSent(undefined);
  };
  return (
    <div class="sign-in">
      {sessionEnded.value && <Notice kind="info">{signIn.sessionEnded}</Notice>}
      {sent === undefined ? <Start onSent={setSent} /> : <CodeForm sent={sent} onSent={setSent} onRestart={restart} />}
    </div>
  );
};

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
