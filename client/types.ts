/** The public types of the package. */
export type { Account, Conversion, FormatList, Job, JobList, JobStatus, Problem, Upload } from "./api.ts";
export type { Client, ConvertOptions, FormatFilter, JobFilter, ManyOptions, Outcome } from "./client.ts";
export type { ClientErrorCode } from "./errors.ts";
export type { ConvertedFile } from "./file.ts";
export type { Content, NamedContent, RemoteFile, UploadedFile, WebInput } from "./input.ts";
export type { OnProgress, Progress } from "./progress.ts";
export type { ClientSettings } from "./request.ts";
