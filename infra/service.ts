import { CfnOutput, Stack } from "aws-cdk-lib";
import type { Alarm } from "aws-cdk-lib/aws-cloudwatch";
import { Construct } from "constructs";
import { acknowledgeFindings } from "./acknowledged.ts";
import { Api } from "./api/api.ts";
import { ROLLBACK_SECTIONS, Rollout } from "./api/rollout.ts";
import type { Assets } from "./assets.ts";
import type { Data } from "./data.ts";
import type { Firewall } from "./edge/firewall.ts";
import { Pages } from "./edge/pages.ts";
import type { Deployment, ServiceFunction } from "./functions.ts";
import { fileStatements, tableStatements } from "./grants.ts";
import { type Logs, logsIn } from "./logs.ts";
import { Alarms } from "./monitoring/alarms.ts";
import { Overview } from "./monitoring/overview.ts";
import { ServiceCheck } from "./monitoring/service-check.ts";
import { Network } from "./network/network.ts";
import { offersIn } from "./offers.ts";
import { permissions } from "./permissions.ts";
import { deployedLanes, type Settings } from "./settings/settings.ts";
import { storesOf } from "./stores.ts";
import { Announcer } from "./workers/announcer.ts";
import { DeadLetters, deadLetterQueues } from "./workers/dead-letters.ts";
import { Films } from "./workers/films.ts";
import { Lane, type LaneProps } from "./workers/lane.ts";
import { deadLettersIn } from "./workers/queues.ts";
import { Sweeper } from "./workers/sweeper.ts";
import { Tasks } from "./workers/tasks.ts";
import { WebLane } from "./workers/web-lane.ts";

export interface ServiceProps {
  readonly settings: Settings;
  readonly assets: Assets;
  readonly data: Data;
  /** @default none */
  readonly firewall: Firewall | undefined;
}

/** Everything that can be deleted and created again, with its parts in order of dependency. */
export class Service extends Stack {
  /** What the stack of accounts uses. */
  readonly shared: { readonly api: Api; readonly logs: Logs } & Required<
    Pick<Deployment["reach"], "deadLetters" | "queues">
  >;

  constructor(scope: Construct, id: string, { settings, assets, data, firewall }: ServiceProps) {
    super(scope, id, { description: `anyform: file conversion service ${settings.stackName}` });
    const { tables, bucket, edgeSecret, storageSecret } = storesOf(this, data);
    const logs = logsIn(this);
    const stores = { tables, bucket, storageSecret, queues: {} };
    const network = new Network(this, "Network", {
      fileHost: bucket.bucketRegionalDomainName,
      tableStatements: tableStatements(permissions.convertFile, stores),
      fileStatements: fileStatements(permissions.convertFile, stores),
    });

    const converting = { settings, assets, logs, reach: stores };
    // One for all lanes: Lambda polls each queue that it reads, also empty ones, and each poll is billed.
    const deadJobs = deadLettersIn(new Construct(this, "DeadJobs"));
    const lanes = new Map(
      deployedLanes(settings).map((lane) => {
        const props: LaneProps = { deployment: converting, lane, network, deadLetters: deadJobs };
        return [lane, lane === "web" ? new WebLane(this, "Lane-web", props) : new Lane(this, `Lane-${lane}`, props)];
      }),
    );

    const films =
      settings.filmMegabytes === undefined
        ? undefined
        : new Films(this, "Films", { deployment: converting, deadLetters: deadJobs });

    const tasks = new Tasks(this, "Tasks", { deployment: converting });
    const queues = {
      ...Object.fromEntries([...lanes].map(([id, { queue }]) => [id, queue])),
      ...tasks.queues,
      ...(films && { films: films.queue }),
    };
    const deployment = { settings, assets, logs, reach: { ...stores, queues, offers: offersIn(this, settings) } };
    const api = new Api(this, "Api", { deployment, edgeSecret });
    const pages = settings.pages
      ? new Pages(this, "Pages", { deployment, api, webAclId: firewall?.arnFor(this) })
      : undefined;
    const announcer = new Announcer(this, "Announcer", { deployment });
    this.shared = { api, logs, queues, deadLetters: deadLetterQueues(deadJobs, tasks, announcer) };
    const { sweepJobs } = new Sweeper(this, "Sweeper", { deployment });
    const { failJob, failUpload } = new DeadLetters(this, "DeadLetters", {
      deployment,
      jobs: deadJobs,
      imports: tasks.byId.imports.deadLetters,
    });

    const check = this.check(deployment, settings.publicUrl ?? pages?.url ?? api.url);
    const watched = {
      settings,
      api,
      pages,
      lanes,
      tasks: tasks.byId,
      announcer,
      sweepJobs,
      failJob,
      failUpload,
      check,
      films,
    };
    const { everywhere: alarms, bySection } = new Alarms(this, "Alarms", { email: settings.alarmEmail, watched });
    if (settings.dashboard) {
      new Overview(this, "Overview", { stackName: settings.stackName, watched, alarms, tables, bucket });
    }
    const rollout = this.rollout(settings, api, bySection);
    acknowledgeFindings({
      service: this,
      data,
      bucket,
      api,
      pages,
      converters: [...lanes.values()].map(({ converter }) => converter),
      announcements: announcer.deadLetters,
      films,
      rollout,
      tracing: settings.tracing,
    });

    if (pages !== undefined) {
      this.output("PagesUrl", pages.url, "URL of the service: its pages, and its API at api/v1/");
    }
    this.output("ApiUrl", api.url, "URL of the API without the pages; paths start with api/v1/");
    this.output("ApiLog", logs.api.logGroupName, "Log of the API's functions");
    this.output("ConvertersLog", logs.converters.logGroupName, "Log of the converters");
    this.output("WorkersLog", logs.workers.logGroupName, "Log of background functions");
    this.output("AccessLog", api.accessLog.logGroupName, "One line per request to the API");
    this.output("RejectedLog", network.rejectedLog.logGroupName, "Connections of converters that were rejected");
  }

  private check(deployment: Deployment, url: string): ServiceFunction | undefined {
    const { checkSecret: keySecret } = deployment.settings;
    return keySecret === undefined
      ? undefined
      : new ServiceCheck(this, "ServiceCheck", { deployment, url, keySecret }).check;
  }

  private rollout({ rollout }: Settings, { aliases }: Api, alarms: ReadonlyMap<string, Alarm>): Rollout | undefined {
    const guards = ROLLBACK_SECTIONS.flatMap((section) => alarms.get(section) ?? []);
    return rollout === "gradual" ? new Rollout(this, "Rollout", { aliases, alarms: guards }) : undefined;
  }

  private output(name: string, value: string, description: string): void {
    new CfnOutput(this, name, { value, description });
  }
}
