import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { problemSchema } from "../../functions/domain/errors/problem-view.ts";
import { Firewall } from "../../infra/edge/firewall.ts";
import { EVERYTHING, synthesise } from "./support/synthesise.ts";

/** The optional limit of each client address, in front of the distribution. */

let acl: Readonly<Record<string, unknown>> & {
  readonly Rules: readonly { Statement: object; Action: { Block: { CustomResponse: Response } } }[];
  readonly CustomResponseBodies: Readonly<Record<string, { ContentType: string; Content: string }>>;
};
let firewall: Firewall;

interface Response {
  readonly ResponseCode: number;
  readonly CustomResponseBodyKey: string;
  readonly ResponseHeaders: readonly object[];
}

beforeAll(() => {
  firewall = new Firewall(new App(), "anyform-firewall", { requestsPerClient: 3_000 });
  acl = Object.values(Template.fromStack(firewall).findResources("AWS::WAFv2::WebACL"))[0]?.Properties;
});

describe("the firewall", () => {
  test("limits the requests of an address within five minutes, and allows all others", () => {
    expect(acl.DefaultAction).toEqual({ Allow: {} });
    expect(acl.Rules.map(({ Statement }) => Statement)).toEqual([
      { RateBasedStatement: { AggregateKeyType: "IP", EvaluationWindowSec: 300, Limit: 3_000 } },
    ]);
  });

  test("answers with the problem of a rate limit, and when to retry", () => {
    const { CustomResponse } = acl.Rules[0]?.Action.Block ?? {};
    expect(CustomResponse).toMatchObject({
      ResponseCode: 429,
      ResponseHeaders: [{ Name: "retry-after", Value: "60" }],
    });
    const body = acl.CustomResponseBodies[CustomResponse?.CustomResponseBodyKey ?? ""];
    const problem = JSON.parse(body?.Content ?? "{}");
    // The gateway knows neither the path nor an ID of the request.
    expect(problemSchema.parse({ ...problem, instance: "/", request_id: "none" })).toMatchObject({
      code: "rate_limited",
      retryable: true,
    });
  });

  test("is in the only region for web ACLs of distributions", () => {
    expect(firewall.region).toBe("us-east-1");
    expect(acl.Scope).toBe("CLOUDFRONT");
  });
});

test("the distribution has the web ACL of the other region, and by default none", () => {
  const idIn = (context: Readonly<Record<string, string>>): unknown =>
    Object.values(synthesise(context).findResources("AWS::CloudFront::Distribution"))[0]?.Properties.DistributionConfig
      .WebACLId;
  expect(idIn(EVERYTHING)).toEqual({
    "Fn::GetStackOutput": { StackName: "anyform-firewall", OutputName: "AclArn", Region: "us-east-1" },
  });
  expect(idIn({})).toBeUndefined();
});
