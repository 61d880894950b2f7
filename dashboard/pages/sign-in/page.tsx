import { useEffect, useState } from "preact/hooks";
import { Redirect, useSearch } from "wouter-preact";
import { ApiProblem } from "../../api.ts";
import { afterSignIn, ownPath } from "../../next.ts";
import { account, isMember, session, sessionEnded } from "../../session.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Loading, Notice, ProblemNotice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/parts.tsx";
import { AddressForm } from "./address-form.tsx";
import { CodeForm } from "./code-form.tsx";
import { finishIdentity, IdentityCancelled, identityReturn } from "./identity.ts";
import { IdentityButton } from "./identity-button.tsx";
import { Invitation, invitationIn } from "./invitation.tsx";
import { type OwnerCode, ownerCode, signInAsOwner } from "./owner-link.ts";
import { PasskeyButton } from "./passkey-button.tsx";
import { forgetCode, type SentCode, sentCode } from "./sent-code.ts";
import "./sign-in.css";

/** Signs in with an email code, a passkey or the identity provider, then continues to the original page. */
export const SignInPage = () => {
  const { signIn } = texts.value;
  const wanted = ownPath(new URLSearchParams(useSearch()).get("next"));
  const [sent, setSent] = useState<SentCode | undefined>(sentCode);
  const link = useOwnerLink();
  const identity = useIdentityReturn();
  const [problem, next] = [link.problem ?? identity.problem, identity.next ?? wanted];
  const [invitation, setInvitation] = useState(() => invitationIn(location));
  if (invitation !== undefined) {
    return (
      <div class="sign-in">
        <Invitation code={invitation} onClose={() => setInvitation(undefined)} />
      </div>
    );
  }
  if (link.isSigningIn || identity.isSigningIn) {
    return <Loading />;
  }
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
      {problem !== undefined && <LinkProblem error={problem} />}
      {sessionEnded.value && <Notice kind="info">{signIn.sessionEnded}</Notice>}
      {sent === undefined ? (
        <Start next={next} onSent={setSent} onInvitation={() => setInvitation("")} />
      ) : (
        <CodeForm sent={sent} onSent={setSent} onRestart={restart} />
      )}
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

/** Signs in with the answer of the identity provider, if the address has one. */
const useIdentityReturn = () => {
  const [answer, setAnswer] = useState(() => identityReturn(location.search));
  const [next, setNext] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState<unknown>(undefined);
  useEffect(() => {
    if (answer !== undefined) {
      finishIdentity(answer)
        .then((path) => setNext(ownPath(path)))
        .catch(setProblem)
        .finally(() => setAnswer(undefined));
    }
    // The address has an answer only when the page is opened.
  }, []);
  return { isSigningIn: answer !== undefined, next, problem };
};

const LinkProblem = ({ error }: { readonly error: unknown }) =>
  error instanceof IdentityCancelled ? (
    <Notice kind="warning">{texts.value.signIn.identityCancelled}</Notice>
  ) : error instanceof ApiProblem && error.code === "wrong_code" ? (
    <Notice kind="warning">{texts.value.signIn.linkUsed}</Notice>
  ) : (
    <ProblemNotice error={error} />
  );

interface StartProps {
  readonly next: string | undefined;
  readonly onSent: (sent: SentCode) => void;
  readonly onInvitation: () => void;
}

const Start = ({ next, onSent, onInvitation }: StartProps) => {
  const { signIn } = texts.value;
  const { codes, identity_provider } = session.value.offers;
  const onlyIdentity = identity_provider !== null && !codes;
  return (
    <section class="card">
      <PageHead title={signIn.title} lead={onlyIdentity ? signIn.identityLead : signIn.lead} />
      {codes && <AddressForm onSent={onSent} />}
      {!codes && !onlyIdentity && (
        <Notice kind="warning">
          <p>{signIn.notOffered}</p>
          <p>{signIn.notOfferedHow}</p>
        </Notice>
      )}
      <IdentityButton next={next} isFirst={onlyIdentity} />
      <PasskeyButton />
      <Button kind="quiet" onClick={onInvitation}>
        {signIn.useInvitation}
      </Button>
    </section>
  );
};
