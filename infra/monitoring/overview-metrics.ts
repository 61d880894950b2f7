import { type IMetric, Metric, type MetricOptions } from "aws-cdk-lib/aws-cloudwatch";
import { type MetricName, metricOf } from "../../functions/domain/metrics.ts";

/**
 * The metrics that functions write to their logs, from their definition table.
 *
 * @param where dimension values: only metrics with these values
 * @returns one metric per combination of dimensions, labeled with its values; none for metrics that are not sent to AWS
 */
export type CustomMetrics = (
  name: MetricName,
  options: MetricOptions,
  where?: Readonly<Record<string, string>>,
) => readonly IMetric[];

/** @param namespace namespace of the metrics: the stack's name */
export const customMetrics =
  (namespace: string): CustomMetrics =>
  (name, options, where = {}) => {
    const { cloud } = metricOf(name);
    return cloud === undefined
      ? []
      : combinations(name)
          .filter((values) => Object.entries(where).every(([label, value]) => values[label] === value))
          .map((dimensionsMap) => {
            const label = Object.entries(dimensionsMap).flatMap(([key, value]) => (key in where ? [] : [value]));
            return new Metric({
              namespace,
              metricName: cloud.name,
              dimensionsMap: { ...dimensionsMap },
              label: [...label, options.label ?? (label.length === 0 ? cloud.name : undefined)]
                .filter(Boolean)
                .join(" "),
              ...without(options),
            });
          });
  };

const without = ({ label: _, ...options }: MetricOptions): MetricOptions => options;

/** @returns each combination of the metric's dimension values */
export const combinations = (name: MetricName): readonly Readonly<Record<string, string>>[] => {
  const { cloud, labels } = metricOf(name);
  return (cloud?.dimensions ?? []).reduce<Record<string, string>[]>(
    (made, label) => {
      const values = cloud?.only?.[label] ?? labels[label] ?? [];
      return made.flatMap((values_) => [...values].map((value) => ({ ...values_, [label]: value })));
    },
    [{}],
  );
};
