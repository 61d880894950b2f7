import { type IMetric, Metric, type MetricOptions } from "aws-cdk-lib/aws-cloudwatch";
import { type MetricName, metricOf } from "../functions/domain/metrics.ts";

/**
 * The metrics that functions write to their logs, by the table that they are written from.
 *
 * @param where values of dimensions: only metrics that have them
 * @returns one for each combination of dimensions, labelled with its values; none for what is not sent to AWS
 */
export type CustomMetrics = (
  name: MetricName,
  options: MetricOptions,
  where?: Readonly<Record<string, string>>,
) => readonly IMetric[];

/** @param namespace what the functions file them under: the stack's name */
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

/** @returns the values of the metric's dimensions, each combination once */
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
