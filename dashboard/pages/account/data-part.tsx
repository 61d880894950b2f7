import { useState } from "preact/hooks";
import { saveBlob } from "../../save-blob.ts";
import { account } from "../../session.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { Card } from "../../ui/parts.tsx";
import { ChangeAddress } from "./change-address.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { ownData } from "./own-data.ts";

/** The address of the account, its data as a file, and its deletion. */
export const DataPart = () => {
  const { account: text } = texts.value;
  const [dialog, setDialog] = useState<"address" | "delete" | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const saving = useAction(async () => {
    const json = JSON.stringify(await ownData(), undefined, 2);
    saveBlob(new Blob([json], { type: "application/json" }), "anyform-data.json");
  });
  const save = async (): Promise<void> => {
    setBusy(true);
    await saving.run();
    setBusy(false);
  };
  const close = (): void => setDialog(undefined);
  const email = account.value?.email ?? "";
  return (
    <Card title={text.data}>
      <p class="lead">{text.dataLead}</p>
      {saving.problem !== undefined && <ProblemNotice error={saving.problem} />}
      <div class="actions">
        <Button onClick={() => setDialog("address")}>{text.changeAddress}</Button>
        <Button busy={busy} onClick={() => void save()}>
          {text.saveData}
        </Button>
        <Button kind="danger" onClick={() => setDialog("delete")}>
          {text.deleteAccount}
        </Button>
      </div>
      {dialog === "address" && <ChangeAddress onClose={close} />}
      {dialog === "delete" && <DeleteAccount email={email} onClose={close} />}
    </Card>
  );
};
