import { useEffect, useState } from "preact/hooks";
import { ApiProblem } from "../../api.ts";
import { hasPasskeys, offersPasskeysInField, signInWithPasskey, stopPasskey } from "../../passkeys.ts";
import { enter } from "../../session.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PasskeyProblem } from "../../ui/passkey-problem.tsx";

/** A challenge is valid for five minutes; it is renewed before that while the field is waiting. */
const RENEWED_MS = 4 * 60_000;

/** Signs in with a passkey, by the button or from the email field. Renders nothing if passkeys are not available. */
export const PasskeyButton = () => {
  const { signIn } = texts.value;
  const [round, setRound] = useState(0);
  const [fieldProblem, setFieldProblem] = useState<unknown>(undefined);
  const again = (): void => setRound((before) => before + 1);
  const passkey = useAction(async () => enter(await signInWithPasskey({ inField: false })));
  useFieldPasskey({ round, again, onProblem: setFieldProblem });
  if (!hasPasskeys()) {
    return null;
  }
  const problem = passkey.problem ?? fieldProblem;
  const press = async (): Promise<void> => {
    setFieldProblem(undefined);
    if (!(await passkey.run())) {
      again();
    }
  };
  return (
    <>
      <p class="sign-in-or">
        <span>{signIn.or}</span>
      </p>
      {problem !== undefined && <PasskeyProblem error={problem} />}
      <Button onClick={press}>
        <Icon name="passkey" /> {signIn.passkey}
      </Button>
    </>
  );
};

interface FieldPasskey {
  /** Incremented to wait again. */
  readonly round: number;
  readonly again: () => void;
  readonly onProblem: (error: unknown) => void;
}

/** Waits for a passkey that is selected in the field. */
const useFieldPasskey = ({ round, again, onProblem }: FieldPasskey): void => {
  // Not a dependency: the functions only set state.
  useEffect(() => {
    let current = true;
    void offersPasskeysInField().then(async (offers) => {
      if (offers && current) {
        await signInWithPasskey({ inField: true }).then(enter, reportRejection(onProblem));
      }
    });
    const timer = setTimeout(again, RENEWED_MS);
    return () => {
      current = false;
      clearTimeout(timer);
      stopPasskey();
    };
  }, [round]);
};

/** Reports only rejected passkeys. If none was selected, or none is available, the button shows that when it is used. */
const reportRejection = (onProblem: (error: unknown) => void) => (error: unknown) => {
  if (error instanceof ApiProblem && error.code === "passkey_refused" && error.status !== 0) {
    onProblem(error);
  }
};
