import type { Alarm } from "aws-cdk-lib/aws-cloudwatch";
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Alias } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import type { OperationId } from "../../functions/api/routes.ts";

export interface RolloutProps {
  readonly aliases: ReadonlyMap<OperationId, Alias>;
  /** Alarms that return all requests to the previous version. */
  readonly alarms: readonly Alarm[];
}

/**
 * Operations of a conversion. New versions of their functions get 10 % of the requests for five minutes. The others have
 * too few requests for an alarm within five minutes, so a gradual deployment would only take longer and need three more
 * resources for each.
 */
export const GRADUAL: readonly OperationId[] = [
  "createUpload",
  "getUpload",
  "completeUpload",
  "createJob",
  "getJob",
  "jobEvents",
  "downloadResult",
  "listFormats",
];

/** Runbook sections of the alarms that end a gradual deployment. */
export const ROLLBACK_SECTIONS: readonly string[] = ["server-errors", "service-check"];

/** Gradual deployments. CodeDeploy moves the requests, and CloudFormation rolls everything back when one fails. */
export class Rollout extends Construct {
  readonly role: Role;

  constructor(scope: Construct, id: string, { aliases, alarms }: RolloutProps) {
    super(scope, id);
    const application = new LambdaApplication(this, "Application");
    this.role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("codedeploy.amazonaws.com"),
      description: "Moves requests between versions of functions",
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName("service-role/AWSCodeDeployRoleForLambdaLimited")],
    });
    for (const [operation, alias] of aliases) {
      new LambdaDeploymentGroup(this, operation, {
        application,
        alias,
        role: this.role,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        alarms: [...alarms],
        autoRollback: { deploymentInAlarm: true, failedDeployment: true, stoppedDeployment: true },
      });
    }
  }
}
