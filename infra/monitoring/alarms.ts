import { CfnCondition, Fn, Stack } from "aws-cdk-lib";
import { Alarm, type CfnAlarm, ComparisonOperator, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";
import { type Watch, type Watched, watches } from "./watches.ts";

export interface AlarmsProps {
  readonly watched: Watched;
  /** Email address that is notified when an alarm starts and ends. @default none: alarms only appear in the console */
  readonly email: string | undefined;
}

/** CloudWatch alarms. Each links to its section of the runbook. */
export class Alarms extends Construct {
  /** The alarms that exist in every region: a template must not refer to the others unconditionally. */
  readonly everywhere: readonly Alarm[];
  /** All alarms by their section of the runbook. */
  readonly bySection: ReadonlyMap<string, Alarm>;

  constructor(scope: Construct, id: string, { watched, email }: AlarmsProps) {
    super(scope, id);
    const actions = email === undefined ? [] : [new SnsAction(this.topic(email))];
    const all = watches(watched).map((watch) => ({ watch, alarm: this.alarm(watch) }));
    for (const { alarm } of all) {
      alarm.addAlarmAction(...actions);
      alarm.addOkAction(...actions);
    }
    this.bySection = new Map(all.map(({ watch, alarm }) => [watch.section, alarm]));
    this.everywhere = all.filter(({ watch }) => watch.region === undefined).map(({ alarm }) => alarm);
  }

  private alarm({ section, description, metric, threshold, periods = 1, isMissingBad = false, region }: Watch): Alarm {
    const alarm = new Alarm(this, section, {
      alarmDescription: `${description} What to do: docs/runbook.md#${section}`,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: isMissingBad ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    if (region !== undefined) {
      (alarm.node.defaultChild as CfnAlarm).cfnOptions.condition = this.onlyIn(section, region);
    }
    return alarm;
  }

  /** The region is not known before deployment. */
  private onlyIn(name: string, region: string): CfnCondition {
    return new CfnCondition(this, `${name}-known`, { expression: Fn.conditionEquals(Stack.of(this).region, region) });
  }

  private topic(address: string): Topic {
    const topic = new Topic(this, "Topic", { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(address));
    // The statement that enforces TLS replaces SNS's default policy, and with it the alarms' right to publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
        actions: ["sns:Publish"],
        resources: [topic.topicArn],
        conditions: { StringEquals: { "aws:SourceAccount": Stack.of(this).account } },
      }),
    );
    return topic;
  }
}
