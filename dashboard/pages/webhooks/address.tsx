import { useState } from "preact/hooks";
import { ApiProblem, api } from "../../api.ts";
import { type AccountState, account, accountChanged } from "../../session.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { toast } from "../../ui/live.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { Card } from "../../ui/parts.tsx";
import { TestNotice, type TestOutcome, testEndpoint } from "./endpoints.tsx";
import { isAddress } from "./url.ts";

/** The webhook URL for jobs that do not set their own. */
export const AddressCard = () => {
  const { address } = texts.value.webhooks;
  const saved = account.value?.webhook_url ?? "";
  const [url, setUrl] = useState(saved);
  const [done, setDone] = useState("");
  const saving = useAction(saveAddress);
  const save = async (next: string | null): Promise<void> => {
    setDone("");
    if (await saving.run(next)) {
      const message = next === null ? address.cleared : address.saved;
      setUrl(next ?? "");
      setDone(message);
      toast(message);
    }
  };
  const [test, setTest] = useState<TestOutcome>();
  const testing = useAction(async () => setTest(await testEndpoint({ id: "default", url: saved })));
  const [isWrong, setWrong] = useState(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    const next = url.trim();
    setWrong(next !== "" && !isAddress(next));
    if (next === "" || isAddress(next)) {
      void save(next === "" ? null : next);
    }
  };
  const urlError = isWrong ? address.wrong : urlErrorOf(saving.problem);
  return (
    <Card title={address.title}>
      <p class="muted">{address.lead}</p>
      <form class="webhooks-address" noValidate onSubmit={submit}>
        <TextField
          label={address.label}
          hint={address.hint}
          error={urlError}
          type="url"
          inputMode="url"
          autoComplete="off"
          spellcheck={false}
          placeholder="https://example.com/anyform"
          value={url}
          onText={setUrl}
        />
        <div class="actions">
          <Button kind="primary" type="submit" disabled={url.trim() === saved}>
            {address.save}
          </Button>
          {saved !== "" && <Button onClick={() => void testing.run()}>{address.test}</Button>}
          {saved !== "" && <Button onClick={() => save(null)}>{address.clear}</Button>}
          {done !== "" && <span class="muted webhooks-done">{done}</span>}
        </div>
        {saving.problem !== undefined && urlError === undefined && <ProblemNotice error={saving.problem} />}
        {testing.problem !== undefined && <ProblemNotice error={testing.problem} />}
        {test && testing.problem === undefined && saved === test.url && <TestNotice outcome={test} />}
      </form>
    </Card>
  );
};

/** @throws ApiProblem */
const saveAddress = async (url: string | null): Promise<void> =>
  accountChanged(await api.post<AccountState>("session/account", { webhook_url: url }));

/** @returns the service's error about the URL itself */
const urlErrorOf = (problem: unknown): string | undefined => {
  const field =
    problem instanceof ApiProblem ? problem.errors.find(({ pointer }) => pointer === "/webhook_url") : undefined;
  return field?.detail;
};
