import { useState } from "preact/hooks";
import { api, type Schemas } from "../../api.ts";
import { role, session } from "../../session.ts";
import { locale, texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { toast } from "../../ui/live.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { Badge, Card, Table } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { Ago } from "../../ui/time.tsx";

type List = Schemas["MemberList"];
type Member = List["members"][number];
type Role = Member["role"];

const EMAIL_CHARACTERS_MAX = 254;

/** The members of the account and its invitations, for owners. */
export const Members = () => {
  const { account: text } = texts.value;
  const list = useRemote(() => api.get<List>("session/members"));
  const [leaving, setLeaving] = useState<Person | undefined>(undefined);
  const change = useAction(async (id: string, changed: Role) => {
    await api.post<List>(`session/members/${id}`, { role: changed });
    await list.reload();
    toast(text.roleChanged);
  });
  const remove = async ({ id, email }: Person): Promise<void> => {
    await api.remove(`session/members/${id}`);
    setLeaving(undefined);
    await list.reload();
    toast(text.memberRemoved(email));
    document.getElementById("members")?.focus();
  };
  return (
    <Card id="members" title={text.members}>
      <p class="lead">{text.membersLead}</p>
      {change.problem !== undefined && <ProblemNotice error={change.problem} />}
      <Loaded of={list}>{(data) => <MemberTable list={data} onRole={change.run} onRemove={setLeaving} />}</Loaded>
      <InviteForm onSent={list.reload} />
      {leaving !== undefined && (
        <Confirm
          title={text.removeMemberTitle(leaving.email)}
          action={text.removeMember}
          onConfirm={() => remove(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>{leaving.id.startsWith("inv_") ? text.withdrawText : text.removeMemberText}</p>
        </Confirm>
      )}
    </Card>
  );
};

type Person = Pick<Member, "email" | "id">;

interface MemberTableProps {
  readonly list: List;
  readonly onRole: (id: string, role: Role) => unknown;
  readonly onRemove: (person: Person) => void;
}

const MemberTable = ({ list, onRole, onRemove }: MemberTableProps) => {
  const { account: text } = texts.value;
  return (
    <div class="stacked">
      <Table
        caption={text.members}
        head={[text.member, text.role, text.since, <span class="hidden">{text.actions}</span>]}
      >
        {list.members.map((member) => (
          <tr key={member.id}>
            <td>
              <strong>{member.email}</strong>{" "}
              {member.id === session.value.session?.member_id && <Badge tone="good">{text.you}</Badge>}
            </td>
            <td data-label={text.role}>
              {member.is_account_address ? text.roles.owner : <RoleChoice member={member} onRole={onRole} />}
            </td>
            <td data-label={text.since}>
              <Ago at={member.joined_at} />
            </td>
            <td class="row-actions">{!member.is_account_address && <Remove person={member} onRemove={onRemove} />}</td>
          </tr>
        ))}
        {list.invitations.map((invitation) => (
          <tr key={invitation.id}>
            <td>
              {invitation.email} <Badge tone="busy">{text.invited}</Badge>
            </td>
            <td data-label={text.role}>{text.roles[invitation.role]}</td>
            <td data-label={text.since}>
              {text.expires} <Ago at={invitation.expires_at} />
            </td>
            <td class="row-actions">
              <Remove person={invitation} onRemove={onRemove} />
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
};

const roleChoices = (): readonly (readonly [Role, string])[] => {
  const { roles } = texts.value.account;
  return [
    ["owner", roles.owner],
    ["developer", roles.developer],
    ["billing", roles.billing],
  ];
};

interface RoleChoiceProps {
  readonly member: Member;
  readonly onRole: (id: string, role: Role) => unknown;
}

const RoleChoice = ({ member, onRole }: RoleChoiceProps) => (
  <select
    aria-label={texts.value.account.roleOf(member.email)}
    value={member.role}
    onChange={({ currentTarget }) => void onRole(member.id, currentTarget.value as Role)}
  >
    {roleChoices().map(([value, name]) => (
      <option key={value} value={value} selected={value === member.role}>
        {name}
      </option>
    ))}
  </select>
);

const Remove = ({ person, onRemove }: { readonly person: Person; readonly onRemove: (person: Person) => void }) => {
  const { account: text } = texts.value;
  return (
    <Button aria-label={text.removeMemberNamed(person.email)} onClick={() => onRemove(person)}>
      {text.removeMember}
    </Button>
  );
};

const InviteForm = ({ onSent }: { readonly onSent: () => unknown }) => {
  const { account: text } = texts.value;
  const [email, setEmail] = useState("");
  const [chosen, setChosen] = useState<Role>("developer");
  const invite = useAction(async () => {
    await api.post<List>("session/members", { email: email.trim(), role: chosen, locale: locale.value });
    toast(text.inviteSent(email.trim()));
    setEmail("");
    await onSent();
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    void invite.run();
  };
  return (
    <form class="member-form" onSubmit={submit}>
      <TextField
        label={text.inviteEmail}
        type="email"
        autocomplete="off"
        maxLength={EMAIL_CHARACTERS_MAX}
        required
        value={email}
        onText={setEmail}
      />
      <SelectField
        label={text.role}
        hint={text.roleHints[chosen]}
        value={chosen}
        choices={roleChoices()}
        onChoice={(value) => setChosen(value as Role)}
      />
      {invite.problem !== undefined && <ProblemNotice error={invite.problem} />}
      <Button kind="primary" type="submit">
        {text.invite}
      </Button>
    </form>
  );
};

/** For members who are not owners: who they are in the account of others, and how to leave it. */
export const Membership = () => {
  const { account: text } = texts.value;
  const [asks, setAsks] = useState(false);
  const own = session.value.session;
  const leave = async (): Promise<void> => {
    await api.remove(`session/members/${own?.member_id}`);
    location.assign("/");
  };
  return (
    <Card title={text.membership}>
      <p class="lead">{text.membershipLead(own?.email ?? "", text.roles[role.value])}</p>
      <p class="hint">{text.roleHints[role.value]}</p>
      <div class="actions">
        <Button onClick={() => setAsks(true)}>{text.leave}</Button>
      </div>
      {asks && (
        <Confirm title={text.leaveTitle} action={text.leave} onConfirm={leave} onClose={() => setAsks(false)}>
          <p>{text.leaveText}</p>
        </Confirm>
      )}
    </Card>
  );
};
