import { useState } from "preact/hooks";
import { PASSKEY_NAME_CHARACTERS_MAX } from "../../offers.ts";
import { addPasskey } from "../../passkeys.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { PasskeyProblem } from "../../ui/passkey-problem.tsx";

export interface AddPasskeyProps {
  readonly onAdded: (name: string) => unknown;
  readonly onClose: () => void;
}

/** Asks for a name, then lets the browser create a passkey. */
export const AddPasskey = ({ onAdded, onClose }: AddPasskeyProps) => {
  const { account: text, common } = texts.value;
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const adding = useAction(async (named: string) => {
    await addPasskey(named);
    await onAdded(named);
  });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!busy) {
      setBusy(true);
      await adding.run(name.trim() || text.passkeys);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={text.addPasskey}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form="account-passkey" busy={busy}>
            {text.addPasskey}
          </Button>
        </>
      }
    >
      <form id="account-passkey" class="account-form" onSubmit={(event) => void submit(event)}>
        <TextField
          label={text.passkeyName}
          hint={text.passkeyNameHint}
          name="passkey-name"
          maxLength={PASSKEY_NAME_CHARACTERS_MAX}
          value={name}
          onText={setName}
        />
        {adding.problem !== undefined && <PasskeyProblem error={adding.problem} />}
      </form>
    </Dialog>
  );
};
