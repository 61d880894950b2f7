import { signal } from "@preact/signals";
import { Link } from "wouter-preact";
import { api, type Schemas } from "../api.ts";
import { account } from "../session.ts";
import { texts } from "../text.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { Card } from "./parts.tsx";
import { useRemote } from "./remote.ts";

const KEY = "anyform-steps-hidden";

const hidden = signal(typeof localStorage !== "undefined" && localStorage.getItem(KEY) !== null);

export interface FirstStepsProps {
  /** The number of API keys. @default read from the service */
  readonly keys?: number | undefined;
}

/** The remaining steps until the first file is converted. Renders nothing when all are done, or when the user hid it. */
export const FirstSteps = ({ keys }: FirstStepsProps) => {
  const { steps } = texts.value.shell;
  const known = useRemote(() => progress(keys), [keys]).data;
  const state = account.value;
  if (hidden.value || state === null || known === undefined || known.converted) {
    return null;
  }
  const all = [
    { name: steps.plan, how: steps.planHow, href: "/plans", done: state.plan_picked },
    { name: steps.key, how: steps.keyHow, href: "/keys", done: known.keys > 0 },
    { name: steps.conversion, how: steps.conversionHow, href: "/", done: known.converted },
  ];
  return (
    <Card
      title={steps.title}
      actions={
        <Button kind="quiet" onClick={hide}>
          {steps.hide}
        </Button>
      }
    >
      <ol class="steps" aria-label={steps.count(all.filter(({ done }) => done).length, all.length)}>
        {all.map((step) => (
          <Step key={step.href} {...step} />
        ))}
      </ol>
    </Card>
  );
};

const hide = (): void => {
  localStorage.setItem(KEY, "yes");
  hidden.value = true;
};

interface Progress {
  readonly keys: number;
  readonly converted: boolean;
}

const progress = async (keys: number | undefined): Promise<Progress> => {
  const [made, { jobs }] = await Promise.all([
    keys ?? api.get<Schemas["KeyList"]>("keys").then((answer) => answer.keys.length),
    api.get<Schemas["JobList"]>("convert?limit=1"),
  ]);
  return { keys: made, converted: jobs.length > 0 };
};

interface StepProps {
  readonly name: string;
  readonly how: string;
  readonly href: string;
  readonly done: boolean;
}

const Step = ({ name, how, href, done }: StepProps) => {
  const { steps } = texts.value.shell;
  return (
    <li class={done ? "done" : ""}>
      <span class="step-mark">{done && <Icon name="check" />}</span>
      <div>
        {done ? <span>{name}</span> : <Link href={href}>{name}</Link>}
        <span class="hidden"> ({done ? steps.done : steps.open})</span>
        {!done && <p class="hint">{how}</p>}
      </div>
    </li>
  );
};
