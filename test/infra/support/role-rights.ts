import type { Template } from "aws-cdk-lib/assertions";
import { functionIn } from "./synthesise.ts";

/** The permissions of roles in the template, in a form that tests compare. */

export interface Statement {
  readonly Effect: "Allow" | "Deny";
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

/** @returns the permissions of a function's role, as `action on resource`, without its log and its source queue */
export const allowedTo = (template: Template, name: string): readonly string[] => {
  const role = functionIn(template, name).Properties.Role["Fn::GetAtt"][0];
  return statementsIn(template, (holder) => holder === role)
    .filter(({ Effect }) => Effect === "Allow")
    .flatMap(pairs)
    .filter((text) => !/^(logs|ec2):|^sqs:(?!Send)/.test(text))
    .sort();
};

/** @returns the statements of roles, and of the separate policies that event sources add */
export const statementsIn = (template: Template, of: (role: string) => boolean = () => true): readonly Statement[] => [
  ...Object.entries(template.findResources("AWS::IAM::Role"))
    .filter(([id]) => of(id))
    .flatMap(([, { Properties }]) => Properties.Policies ?? [])
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
  ...Object.values(template.findResources("AWS::IAM::Policy"))
    .filter(({ Properties }) => Properties.Roles.some(({ Ref }: { Ref: string }) => of(Ref)))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement),
];

export const pairs = ({ Action, Resource, Condition }: Statement): readonly string[] =>
  [Action]
    .flat()
    .flatMap((action) => [Resource].flat().map((resource) => `${action} on ${named(resource)}${limitsIn(Condition)}`));

/**
 * Resources of the service are `{Fn::GetAtt: [id, Arn]}`, those of the data an ARN with a name, `{Ref: id}`; both can be
 * joined with the rest of the ARN.
 */
const named = (resource: unknown): string => {
  const text = JSON.stringify(resource);
  const pattern = /"Fn::GetAtt":\["(\w+)","(Arn|StreamArn)"\]|"(?::table\/|:s3:::)",\{"Ref":"(\w+)"\}/;
  const [, owned, attribute = "Arn", other] = pattern.exec(text) ?? [];
  const id = owned ?? other ?? text;
  const [, path = ""] = /,"(\/[^"]*)"\]\]\}$/.exec(text) ?? [];
  const name = id.replace(/^(Tables|Tasks|Lane|Announcer)?(.*?)[0-9A-F]{8}$/, "$2");
  return `${name}${attribute === "Arn" ? "" : "/stream"}${path}`;
};

/** @returns the values of all conditions */
const limitsIn = (condition: Statement["Condition"] = {}): string => {
  const values = Object.values(condition).flatMap((keys) => Object.values(keys).flat());
  return values.length === 0 ? "" : `: ${values.join(" ")}`;
};
