import { useState } from "preact/hooks";
import { api, type Schemas } from "../../api.ts";
import { type AccountState, accountChanged } from "../../session.ts";
import { locale, texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { announce } from "../../ui/live.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { CODE_DIGITS, digitsOf } from "../sign-in/sent-code.ts";

/** Asks for the new address, then for the code that was sent there. */
export const ChangeAddress = ({ onClose }: { readonly onClose: () => void }) => {
  const { account: text, common, signIn } = texts.value;
  const [email, setEmail] = useState("");
  const [code, setCode] = useState("");
  const [challenge, setChallenge] = useState<string | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const sending = useAction(async () => {
    const sent = await api.post<Schemas["SignInCode"]>("session/code", { email, locale: locale.value });
    setChallenge(sent.challenge_id);
  });
  const changing = useAction(async () => {
    accountChanged(await api.post<AccountState>("session/email", { challenge_id: challenge, code }));
    announce(text.addressChanged(email));
    onClose();
  });
  const step = challenge === undefined ? sending : changing;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!busy) {
      setBusy(true);
      await step.run();
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={text.changeAddress}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form="account-address" busy={busy}>
            {challenge === undefined ? text.sendCode : text.changeAddress}
          </Button>
        </>
      }
    >
      <form id="account-address" class="account-form" onSubmit={(event) => void submit(event)}>
        {challenge === undefined ? (
          <TextField
            key="email"
            label={text.newAddress}
            hint={text.newAddressHint}
            type="email"
            name="email"
            autocomplete="email"
            required
            value={email}
            onText={setEmail}
          />
        ) : (
          <TextField
            key="code"
            label={signIn.code}
            hint={text.codeSentTo(email)}
            name="code"
            inputmode="numeric"
            autocomplete="one-time-code"
            required
            maxLength={CODE_DIGITS}
            value={code}
            onText={(typed) => setCode(digitsOf(typed))}
          />
        )}
        {step.problem !== undefined && <ProblemNotice error={step.problem} />}
      </form>
    </Dialog>
  );
};
