import type { LaneId } from "../../functions/domain/conversions/lanes.ts";
import type { Lane } from "../workers/lane.ts";
import type { CustomMetrics } from "./overview-metrics.ts";
import { graph, heading, type WidgetRow } from "./overview-widgets.ts";

const sum = { statistic: "Sum" };
const highest = { statistic: "Maximum" };

/** @returns the widgets of each lane: waiting jobs, running conversions, durations and outcomes */
export const laneRows = (lanes: ReadonlyMap<LaneId, Lane>, custom: CustomMetrics): readonly WidgetRow[] =>
  [...lanes].flatMap(([lane, parts]) => [[heading(`The lane ${lane}`)], laneRow(lane, parts, custom)]);

const laneRow = (lane: LaneId, { queue, deadLetters, converter }: Lane, custom: CustomMetrics): WidgetRow => [
  graph(
    "Waiting jobs, age of the oldest (s)",
    4,
    [
      queue.metricApproximateNumberOfMessagesVisible({ ...highest, label: "wait" }),
      queue.metricApproximateNumberOfMessagesNotVisible({ ...highest, label: "in hand" }),
      deadLetters.metricNumberOfMessagesReceived({ ...sum, label: "given up, all lanes" }),
    ],
    [queue.metricApproximateAgeOfOldestMessage({ ...highest, label: "oldest, s" })],
  ),
  graph(
    "Concurrent converters, crashes and throttles",
    4,
    [converter.lambda.metric("ConcurrentExecutions", { ...highest, label: "at once" })],
    [
      converter.lambda.metricErrors({ ...sum, label: "crashed" }),
      converter.lambda.metricThrottles({ ...sum, label: "held back" }),
    ],
  ),
  graph(
    "Converter duration (ms), queue time (s)",
    4,
    [
      converter.lambda.metricDuration({ statistic: "p50", label: "p50" }),
      converter.lambda.metricDuration({ statistic: "p99", label: "p99" }),
    ],
    [
      ...custom("job_wait_seconds", { statistic: "p50", label: "waited p50, s" }, { lane }),
      ...custom("job_wait_seconds", { statistic: "p99", label: "waited p99, s" }, { lane }),
    ],
  ),
  graph("Job outcomes", 4, custom("jobs", sum, { lane })),
];
