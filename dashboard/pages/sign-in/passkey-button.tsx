import { useEffect, useState } from "preact/hooks";
import { ApiProblem } from "../../api.ts";
import { hasPasskeys, offersPasskeysInField, signInWithPasskey, stopPasskey } from "../../passkeys.ts";
import { enter } from "../../session.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PasskeyProblem } from "../../ui/passkey-problem.tsx";

/** A challenge holds five minutes; a field that waits longer is given a new one before. */
const RENEWED_MS = 4 * 60_000;

/** Signs in with a passkey, by a press or out of the field for the address; nothing where the browser has none for these pages. */
export const PasskeyButton = () => {
  const { signIn } = texts.value;
  const [round, setRound] = useState(0);
  const [refused, setRefused] = useState<unknown>(undefined);
  const again = (): void => setRound((before) => before + 1);
  const passkey = useAction(async () => enter(await signInWithPasskey({ inField: false })));
  useFieldPasskey({ round, again, refuse: setRefused });
  if (!hasPasskeys()) {
    return null;
  }
  const problem = passkey.problem ?? refused;
  const press = async (): Promise<void> => {
    setRefused(undefined);
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
  /** Counts up to wait anew. */
  readonly round: number;
  readonly again: () => void;
  readonly refuse: (error: unknown) => void;
}

/** Waits for a passkey that is picked in the field. */
const useFieldPasskey = ({ round, again, refuse }: FieldPasskey): void => {
  // The functions only set a state.
  useEffect(() => {
    let current = true;
    void offersPasskeysInField().then(async (offers) => {
      if (offers && current) {
        await signInWithPasskey({ inField: true }).then(enter, tellRefusal(refuse));
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

/** That nothing was picked, or cannot be, is no news to who did not ask: the button tells it when it is pressed. */
const tellRefusal = (refuse: (error: unknown) => void) => (error: unknown) => {
  if (error instanceof ApiProblem && error.code === "passkey_refused" && error.status !== 0) {
    refuse(error);
  }
};
