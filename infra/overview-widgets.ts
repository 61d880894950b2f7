import { GraphWidget, type IMetric, type IWidget, TextWidget } from "aws-cdk-lib/aws-cloudwatch";

/** What the rows of the dashboard are made of. */

/** A row of widgets that belong together. */
export type WidgetRow = readonly IWidget[];

/** CloudWatch lays a dashboard out in so many columns. */
export const ROW_COLUMNS = 24;

/** @returns a line over the rows that follow */
export const heading = (text: string): IWidget =>
  new TextWidget({ markdown: `## ${text}`, width: ROW_COLUMNS, height: 1 });

/** @returns a graph as wide as that many of them fill a row */
export const graph = (
  title: string,
  inRow: number,
  left: readonly IMetric[],
  right: readonly IMetric[] = [],
): IWidget => new GraphWidget({ title, width: Math.floor(ROW_COLUMNS / inRow), left: [...left], right: [...right] });
