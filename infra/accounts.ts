import { Stack } from "aws-cdk-lib";
import { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { Construct } from "constructs";
import { acknowledgeShared } from "./acknowledged.ts";
import { operationsIn, operationsOf } from "./api/operations.ts";
import type { Assets } from "./assets.ts";
import type { Data } from "./data.ts";
import { offersIn } from "./offers.ts";
import type { Service } from "./service.ts";
import type { Settings } from "./settings/settings.ts";
import { storesOf } from "./stores.ts";

export interface AccountsProps {
  readonly settings: Settings;
  readonly assets: Assets;
  readonly data: Data;
  readonly service: Service;
}

/** The operations for sign-in, accounts and keys, as routes of the service's API. Nothing refers to this stack. */
export class Accounts extends Stack {
  constructor(scope: Construct, id: string, { settings, assets, data, service }: AccountsProps) {
    super(scope, id, { description: `anyform: accounts and keys of the service ${settings.stackName}` });
    const { tables, bucket, edgeSecret, storageSecret } = storesOf(this, data);
    const { logs, queues, deadLetters } = service.shared;
    const { http } = service.shared.api;
    const api = new Construct(this, "Operations");
    operationsIn(api, api, {
      deployment: {
        settings,
        assets,
        logs,
        reach: { tables, bucket, storageSecret, queues, deadLetters, offers: offersIn(this, settings) },
      },
      http: HttpApi.fromHttpApiAttributes(this, "Http", { httpApiId: http.apiId }),
      operations: operationsOf("accounts"),
      edgeSecret,
    });
    acknowledgeShared({ stack: this, api, bucket, tracing: settings.tracing });
  }
}
