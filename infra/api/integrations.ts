import {
  HttpIntegrationType,
  HttpRouteIntegration,
  type HttpRouteIntegrationConfig,
  IntegrationCredentials,
  PayloadFormatVersion,
} from "aws-cdk-lib/aws-apigatewayv2";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Alias, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";

/** A function, or the alias of the version that is called. */
export type Target = Alias | LambdaFunction;

/**
 * Calls a function with a role of the gateway, which may call all functions of the API. CDK's own integration adds a
 * permission to each function instead: a tenth of the resources that a stack can have.
 */
export class FunctionIntegration extends HttpRouteIntegration {
  private readonly target: Target;
  private readonly caller: Role;

  constructor(id: string, target: Target, caller: Role) {
    super(id);
    this.target = target;
    this.caller = caller;
  }

  bind(): HttpRouteIntegrationConfig {
    return {
      type: HttpIntegrationType.AWS_PROXY,
      uri: this.target.functionArn,
      payloadFormatVersion: PayloadFormatVersion.VERSION_2_0,
      credentials: IntegrationCredentials.fromRole(this.caller),
    };
  }
}

/** @returns the role of the gateway for these functions */
export const callerOf = (scope: Construct, functions: readonly Target[]): Role =>
  new Role(scope, "Caller", {
    assumedBy: new ServicePrincipal("apigateway.amazonaws.com"),
    description: "Lets the gateway call the functions of the API",
    inlinePolicies: {
      Rights: new PolicyDocument({
        statements: [
          new PolicyStatement({
            actions: ["lambda:InvokeFunction"],
            resources: functions.map(({ functionArn }) => functionArn),
          }),
        ],
      }),
    },
  });
