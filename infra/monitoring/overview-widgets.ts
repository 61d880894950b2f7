import { GraphWidget, type IMetric, type IWidget, TextWidget } from "aws-cdk-lib/aws-cloudwatch";

/** Building blocks of the dashboard's rows. */

/** A row of widgets that belong together. */
export type WidgetRow = readonly IWidget[];

/** Columns of a CloudWatch dashboard. */
export const ROW_COLUMNS = 24;

/** @returns a heading above the following rows */
export const heading = (text: string): IWidget =>
  new TextWidget({ markdown: `## ${text}`, width: ROW_COLUMNS, height: 1 });

/** @returns a graph with the width for this many graphs per row */
export const graph = (
  title: string,
  inRow: number,
  left: readonly IMetric[],
  right: readonly IMetric[] = [],
): IWidget => new GraphWidget({ title, width: Math.floor(ROW_COLUMNS / inRow), left: [...left], right: [...right] });
