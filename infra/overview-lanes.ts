import type { LaneId } from "../functions/domain/lanes.ts";
import type { Lane } from "./lane.ts";
import type { CustomMetrics } from "./overview-metrics.ts";
import { graph, heading, type WidgetRow } from "./overview-widgets.ts";

const sum = { statistic: "Sum" };
const highest = { statistic: "Maximum" };

/** @returns what there is to see of each lane: who waits, who converts, how long that takes, and how it ends */
export const laneRows = (lanes: ReadonlyMap<LaneId, Lane>, custom: CustomMetrics): readonly WidgetRow[] =>
  [...lanes].flatMap(([lane, parts]) => [[heading(`The lane ${lane}`)], laneRow(lane, parts, custom)]);

const laneRow = (lane: LaneId, { queue, deadLetters, converter }: Lane, custom: CustomMetrics): WidgetRow => [
  graph(
    "Jobs that wait, and seconds of the oldest",
    4,
    [
      queue.metricApproximateNumberOfMessagesVisible({ ...highest, label: "wait" }),
      queue.metricApproximateNumberOfMessagesNotVisible({ ...highest, label: "in hand" }),
      deadLetters.metricNumberOfMessagesReceived({ ...sum, label: "given up" }),
    ],
    [queue.metricApproximateAgeOfOldestMessage({ ...highest, label: "oldest, s" })],
  ),
  graph(
    "Converters at once, and those that crashed or were held back",
    4,
    [converter.lambda.metric("ConcurrentExecutions", { ...highest, label: "at once" })],
    [
      converter.lambda.metricErrors({ ...sum, label: "crashed" }),
      converter.lambda.metricThrottles({ ...sum, label: "held back" }),
    ],
  ),
  graph(
    "Milliseconds of a converter, and seconds that jobs waited",
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
  graph("How jobs ended", 4, custom("jobs", sum, { lane })),
];
