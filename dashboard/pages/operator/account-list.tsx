import { useState } from "preact/hooks";
import { api, type Schemas } from "../../api.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Card, Empty } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { AccountTable } from "./account-table.tsx";
import type { OperatedAccount } from "./page.tsx";
import "./operator.css";

export interface AccountListProps {
  /** The list is read again when it increases. */
  readonly changes: number;
  readonly onChange: (account: OperatedAccount) => void;
}

/** All accounts page by page, or the one with an address. */
export const AccountList = ({ changes, onChange }: AccountListProps) => {
  const { operator: text } = texts.value;
  const [query, setQuery] = useState("");
  const list = useRemote(
    () => api.get<Schemas["OperatedAccountList"]>(`session/operator/accounts${query && `?${query}`}`),
    [query, changes],
  );
  return (
    <Card title={text.accounts}>
      <Search onSearch={(email) => setQuery(email === "" ? "" : String(new URLSearchParams({ email })))} />
      <Loaded of={list} isEmpty={({ accounts }) => accounts.length === 0} empty={<Empty>{text.noAccounts}</Empty>}>
        {({ accounts }) => <AccountTable caption={text.accounts} accounts={accounts} onChange={onChange} />}
      </Loaded>
      {list.data && (
        <div class="actions">
          {query !== "" && <Button onClick={() => setQuery("")}>{text.first}</Button>}
          <NextPage next={list.data.next} onNext={(after) => setQuery(String(new URLSearchParams({ after })))} />
        </div>
      )}
    </Card>
  );
};

const NextPage = ({ next, onNext }: { readonly next: string | null; readonly onNext: (after: string) => void }) =>
  next === null ? null : <Button onClick={() => onNext(next)}>{texts.value.operator.more}</Button>;

const Search = ({ onSearch }: { readonly onSearch: (email: string) => void }) => {
  const { operator: text } = texts.value;
  const [email, setEmail] = useState("");
  return (
    <form
      class="operator-search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(email.trim());
      }}
    >
      <TextField label={text.find} type="search" value={email} onText={setEmail} />
      <Button type="submit">{text.search}</Button>
    </form>
  );
};
