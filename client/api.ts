import type { components } from "./api-types.ts";

/** Response types, named as in the OpenAPI document. */
type Schemas = components["schemas"];

export type Account = Schemas["Account"];
export type Conversion = Schemas["Conversion"];
export type Download = Schemas["Download"];
export type FormatList = Schemas["FormatList"];
export type Job = Schemas["Job"];
export type JobList = Schemas["JobList"];
export type JobStatus = Job["status"];
export type Problem = Schemas["Problem"];
export type Upload = Schemas["Upload"];
export type ConversionRequest = Schemas["ConversionRequest"];
