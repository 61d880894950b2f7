import { Stack } from "aws-cdk-lib";
import type { IVpc } from "aws-cdk-lib/aws-ec2";
import {
  CfnFirewallDomainList,
  CfnFirewallRuleGroup,
  CfnFirewallRuleGroupAssociation,
} from "aws-cdk-lib/aws-route53resolver";
import { Construct } from "constructs";

export interface NameFirewallProps {
  readonly vpc: IVpc;
  /** The only host names that are resolved in addition to those of DynamoDB. */
  readonly hosts: readonly string[];
}

/** The lowest priority of an association that is allowed. */
const FIRST_ASSOCIATION = 101;

/**
 * Resolves only the names of the two gateway endpoints. Queries to the VPC's resolver pass no security group, route or
 * endpoint policy, so a compromised converter could otherwise send data to a name server on the internet, as parts of
 * names. A query of an allowed name ends at a name server of AWS.
 */
export class NameFirewall extends Construct {
  constructor(scope: Construct, id: string, { vpc, hosts }: NameFirewallProps) {
    super(scope, id);
    const { region, urlSuffix } = Stack.of(this);
    // The SDK uses the second form if it knows the account's ID.
    const tables = [`dynamodb.${region}.${urlSuffix}`, `*.ddb.${region}.${urlSuffix}`];
    const allowed = new CfnFirewallDomainList(this, "Allowed", { domains: [...hosts, ...tables] });
    const all = new CfnFirewallDomainList(this, "All", { domains: ["*"] });
    const rules = new CfnFirewallRuleGroup(this, "Rules", {
      firewallRules: [
        {
          action: "ALLOW",
          firewallDomainListId: allowed.attrId,
          // S3's names are aliases of other names.
          firewallDomainRedirectionAction: "TRUST_REDIRECTION_DOMAIN",
          priority: 1,
        },
        { action: "BLOCK", blockResponse: "NXDOMAIN", firewallDomainListId: all.attrId, priority: 2 },
      ],
    });
    new CfnFirewallRuleGroupAssociation(this, "Association", {
      firewallRuleGroupId: rules.attrId,
      priority: FIRST_ASSOCIATION,
      vpcId: vpc.vpcId,
    });
  }
}
