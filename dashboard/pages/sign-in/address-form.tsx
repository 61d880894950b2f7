import { useEffect, useRef, useState } from "preact/hooks";
import { ApiProblem } from "../../api.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { type SentCode, sendCode } from "./sent-code.ts";

const EMAIL_CHARACTERS_MAX = 254;

/** Asks for the email address. Browsers also offer passkeys in its field. */
export const AddressForm = ({ onSent }: { readonly onSent: (sent: SentCode) => void }) => {
  const { signIn } = texts.value;
  const form = useRef<HTMLFormElement>(null);
  const [email, setEmail] = useState("");
  const [isWrong, setWrong] = useState(false);
  const [busy, setBusy] = useState(false);
  const sending = useAction(async (address: string) => onSent(await sendCode(address)));
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const address = email.trim();
    setWrong(!isAddress(address));
    if (isAddress(address) && !busy) {
      setBusy(true);
      await sending.run(address);
      setBusy(false);
    }
  };
  return (
    <form ref={form} class="sign-in-form" noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        label={signIn.email}
        hint={signIn.emailHint}
        error={isWrong && signIn.emailWrong}
        type="email"
        name="email"
        autocomplete="username webauthn"
        maxLength={EMAIL_CHARACTERS_MAX}
        required
        value={email}
        onText={setEmail}
      />
      {sending.problem !== undefined && <SendingProblem error={sending.problem} />}
      <Button kind="primary" type="submit" busy={busy}>
        {signIn.send}
      </Button>
    </form>
  );
};

/** Finds only what the service would certainly reject; whether the address works is shown by the email. */
const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/u.test(text);

/** Why no code was sent. */
export const SendingProblem = ({ error }: { readonly error: unknown }) => {
  const { signIn } = texts.value;
  if (error instanceof ApiProblem && error.code === "not_offered") {
    return (
      <Notice kind="warning">
        <p>{signIn.notOffered}</p>
        <p>{signIn.notOfferedHow}</p>
      </Notice>
    );
  }
  return <ProblemNotice error={error} />;
};
