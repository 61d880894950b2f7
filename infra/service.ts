import { CfnOutput, Stack } from "aws-cdk-lib";
import { Construct } from "constructs";
import { acknowledgeFindings } from "./acknowledged.ts";
import { Api } from "./api.ts";
import type { Assets } from "./assets.ts";
import { Files } from "./files.ts";
import { fileStatements, tableStatements } from "./grants.ts";
import { Alarms } from "./monitoring/alarms.ts";
import { Overview } from "./monitoring/overview.ts";
import { Network } from "./network.ts";
import { offersIn } from "./offers.ts";
import { Pages } from "./pages.ts";
import { permissions } from "./permissions.ts";
import { deployedLanes, type Settings } from "./settings.ts";
import { Tables } from "./tables.ts";
import { Announcer } from "./workers/announcer.ts";
import { DeadLetters } from "./workers/dead-letters.ts";
import { Lane } from "./workers/lane.ts";
import { deadLettersIn } from "./workers/queues.ts";
import { Sweeper } from "./workers/sweeper.ts";
import { Tasks } from "./workers/tasks.ts";

export interface ServiceProps {
  readonly settings: Settings;
  readonly assets: Assets;
}

/** The complete service on AWS, with its parts in order of dependency. */
export class Service extends Stack {
  constructor(scope: Construct, { settings, assets }: ServiceProps) {
    const { stackName, keepData, alarmEmail, capacity } = settings;
    super(scope, stackName, { description: "anyform: file conversion service" });

    const tables = new Tables(this, "Tables", { stackName, keepData, warmWrites: capacity.tableWrites }).byName;
    const bucket = new Files(this, "Files").bucket;
    const stores = { tables, bucket, queues: {} };
    const network = new Network(this, "Network", {
      stackName,
      fileHost: bucket.bucketRegionalDomainName,
      tableStatements: tableStatements(permissions.convertFile, stores),
      fileStatements: fileStatements(permissions.convertFile, stores),
    });

    const converting = { settings, assets, reach: stores };
    // One for all lanes: Lambda polls each queue that it reads, also empty ones, and each poll is billed.
    const deadJobs = deadLettersIn(new Construct(this, "DeadJobs"));
    const lanes = new Map(
      deployedLanes(settings).map((lane) => [
        lane,
        new Lane(this, `Lane-${lane}`, { deployment: converting, lane, network, deadLetters: deadJobs }),
      ]),
    );

    const tasks = new Tasks(this, "Tasks", { deployment: converting });
    const queues = { ...Object.fromEntries([...lanes].map(([id, { queue }]) => [id, queue])), ...tasks.queues };
    const deployment = { settings, assets, reach: { ...stores, queues, offers: offersIn(this, settings) } };
    const api = new Api(this, "Api", { deployment });
    const pages = settings.pages ? new Pages(this, "Pages", { deployment, api }) : undefined;
    const announcer = new Announcer(this, "Announcer", { deployment });
    const { sweepJobs } = new Sweeper(this, "Sweeper", { deployment });
    const { failJob, failUpload } = new DeadLetters(this, "DeadLetters", {
      deployment,
      jobs: deadJobs,
      imports: tasks.byId.imports.deadLetters,
    });

    const watched = { settings, api, pages, lanes, tasks: tasks.byId, announcer, sweepJobs, failJob, failUpload };
    const alarms = new Alarms(this, "Alarms", { stackName, email: alarmEmail, watched }).everywhere;
    if (settings.dashboard) {
      new Overview(this, "Overview", { stackName, watched, alarms, tables, bucket });
    }
    acknowledgeFindings({
      service: this,
      bucket,
      api,
      pages,
      converters: [...lanes.values()].map(({ converter }) => converter),
      announcements: announcer.deadLetters,
    });

    if (pages !== undefined) {
      this.output("PagesUrl", pages.url, "URL of the service: its pages, and its API at api/v1/");
    }
    this.output("ApiUrl", api.url, "URL of the API without the pages; paths start with api/v1/");
    this.output("BucketName", bucket.bucketName, "Uploads and results; each is deleted after a day or two");
    this.output("JobsTable", tables.jobs.tableName, "Jobs and uploads");
    this.output("KeysTable", tables.keys.tableName, "Accounts and API keys");
    this.output("QuotasTable", tables.quotas.tableName, "Requests used, per account and month");
  }

  private output(name: string, value: string, description: string): void {
    new CfnOutput(this, name, { value, description });
  }
}
