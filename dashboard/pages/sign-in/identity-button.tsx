import { session } from "../../session.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { startIdentity } from "./identity.ts";

export interface IdentityButtonProps {
  readonly next: string | undefined;
  /** Whether it is the usual way to sign in. */
  readonly isFirst: boolean;
}

/** Signs in with the operator's identity provider. Renders nothing without one. */
export const IdentityButton = ({ next, isFirst }: IdentityButtonProps) => {
  const { signIn } = texts.value;
  const name = session.value.offers.identity_provider;
  const start = useAction(() => startIdentity(next));
  if (name === null) {
    return null;
  }
  return (
    <>
      {!isFirst && (
        <p class="sign-in-or">
          <span>{signIn.or}</span>
        </p>
      )}
      {start.problem !== undefined && <ProblemNotice error={start.problem} />}
      <Button kind={isFirst ? "primary" : "plain"} onClick={() => start.run()}>
        <Icon name="account" /> {signIn.identity(name)}
      </Button>
    </>
  );
};
