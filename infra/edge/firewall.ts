import { CfnOutput, Fn, Stack } from "aws-cdk-lib";
import { CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import type { Construct } from "constructs";
import { problemType } from "../../functions/domain/errors/problem.ts";
import { requestErrors } from "../../functions/domain/errors/request-errors.ts";

/** The only region for web ACLs of distributions (AWS WAF Developer Guide, "Resources that you can protect"). */
const FIREWALL_REGION = "us-east-1";

/** Seconds in which the requests of an address are counted. */
const WINDOW_SECONDS = 300;

/** AWS WAF counts every few seconds, and accepts requests again as soon as the rate is below the limit. */
const RETRY_SECONDS = 60;

const BODY = "limited";

const { status, title, retryable } = requestErrors.rate_limited;
const PROBLEM = JSON.stringify({
  type: problemType("rate_limited"),
  title,
  status,
  code: "rate_limited",
  retryable,
  detail: "Too many requests from your address. Retry later.",
});

export interface FirewallProps {
  /** Requests of one address within five minutes. */
  readonly requestsPerClient: number;
}

/**
 * A web ACL that limits the requests of each client address before they reach the API and count toward its rate. It has a
 * separate stack, because AWS requires its region.
 */
export class Firewall extends Stack {
  constructor(scope: Construct, id: string, { requestsPerClient }: FirewallProps) {
    super(scope, id, {
      description: "anyform: limits of each client address",
      env: { region: FIREWALL_REGION },
    });
    const visibilityConfig = { cloudWatchMetricsEnabled: true, metricName: "clients", sampledRequestsEnabled: true };
    const acl = new CfnWebACL(this, "Acl", {
      scope: "CLOUDFRONT",
      defaultAction: { allow: {} },
      visibilityConfig,
      customResponseBodies: { [BODY]: { contentType: "APPLICATION_JSON", content: PROBLEM } },
      rules: [
        {
          name: "clients",
          priority: 0,
          statement: {
            rateBasedStatement: {
              aggregateKeyType: "IP",
              limit: requestsPerClient,
              evaluationWindowSec: WINDOW_SECONDS,
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: status,
                customResponseBodyKey: BODY,
                responseHeaders: [{ name: "retry-after", value: String(RETRY_SECONDS) }],
              },
            },
          },
          visibilityConfig,
        },
      ],
    });
    new CfnOutput(this, "AclArn", { value: acl.attrArn, description: "Web ACL of the distribution" });
  }

  /** @returns the ARN, for a stack in any region, which is deployed after this one */
  arnFor(consumer: Stack): string {
    consumer.addStackDependency(this, "reads its output");
    return Fn.getStackOutput(this.stackName, "AclArn", FIREWALL_REGION);
  }
}
