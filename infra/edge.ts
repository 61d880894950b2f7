import { Duration } from "aws-cdk-lib";
import {
  type BehaviorOptions,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersReferrerPolicy,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  ResponseHeadersPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { Construct } from "constructs";
import { CACHE_AND_ASK, CACHE_FOR_EVER, PAGE } from "../functions/domain/page-files.ts";
import { contentSecurityPolicy, pageHeaders } from "../functions/domain/page-policy.ts";

export interface EdgeProps {
  /** The host that pages send large files to. */
  readonly uploadHost: string;
}

type Handling = Partial<BehaviorOptions>;

/** Days that browsers keep to TLS for this name. */
const HSTS_DAYS = 365;

/** All but paths of files are pages of the app: as `isFilePath` of functions/domain/page-files.ts has it. */
const PAGES_FUNCTION = `function handler(event) {
  var request = event.request;
  if (request.uri.slice(request.uri.lastIndexOf("/")).indexOf(".") < 0) {
    request.uri = "${PAGE}";
  }
  return request;
}
`;

/** The API is asked by its own name, and has to know by which one people reach it; what a client says of that is replaced. */
const API_FUNCTION = `function handler(event) {
  var request = event.request;
  request.headers["x-anyform-host"] = { value: request.headers.host.value };
  return request;
}
`;

/** Headers that CloudFront has settings of its own for. */
const OWN_SETTINGS: readonly string[] = ["referrer-policy", "x-content-type-options"];

/** What CloudFront does to requests and answers on their way, by what is asked for. */
export class Edge extends Construct {
  readonly ofPages: Handling;
  readonly ofHashedFiles: Handling;
  readonly ofApi: Handling;
  readonly ofResults: Handling;

  constructor(scope: Construct, id: string, { uploadHost }: EdgeProps) {
    super(scope, id);
    const policy = contentSecurityPolicy([`https://${uploadHost}`]);
    this.ofPages = {
      responseHeadersPolicy: this.pageHeaders("PageHeaders", policy, CACHE_AND_ASK),
      functionAssociations: [this.onRequest("AppPaths", PAGES_FUNCTION)],
    };
    this.ofHashedFiles = { responseHeadersPolicy: this.pageHeaders("FileHeaders", policy, CACHE_FOR_EVER) };
    this.ofApi = {
      responseHeadersPolicy: new ResponseHeadersPolicy(this, "ApiHeaders", {
        securityHeadersBehavior: { strictTransportSecurity },
      }),
      functionAssociations: [this.onRequest("ViewerHost", API_FUNCTION)],
    };
    this.ofResults = { responseHeadersPolicy: this.resultHeaders(), originRequestPolicy: this.resultRequests() };
  }

  private onRequest(id: string, code: string) {
    return {
      eventType: FunctionEventType.VIEWER_REQUEST,
      function: new EdgeFunction(this, id, { code: FunctionCode.fromInline(code), runtime: FunctionRuntime.JS_2_0 }),
    };
  }

  private pageHeaders(id: string, policy: string, cacheControl: string): ResponseHeadersPolicy {
    const others = Object.entries(pageHeaders).filter(([name]) => !OWN_SETTINGS.includes(name));
    return new ResponseHeadersPolicy(this, id, {
      securityHeadersBehavior: {
        strictTransportSecurity,
        contentSecurityPolicy: { contentSecurityPolicy: policy, override: true },
        contentTypeOptions: { override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.SAME_ORIGIN, override: true },
      },
      customHeadersBehavior: {
        customHeaders: [...others, ["cache-control", cacheControl] as const].map(([header, value]) => ({
          header,
          value,
          override: true,
        })),
      },
    });
  }

  /** A result is a stranger's file under the name of the pages: it must not run as one of them, nor stay anywhere. */
  private resultHeaders(): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, "ResultHeaders", {
      securityHeadersBehavior: {
        strictTransportSecurity,
        contentSecurityPolicy: { contentSecurityPolicy: "sandbox; default-src 'none'", override: true },
        contentTypeOptions: { override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
      },
      customHeadersBehavior: {
        customHeaders: [{ header: "cache-control", value: "private, no-store", override: true }],
      },
    });
  }

  /** The query is the signature. No cookie and no `Authorization` goes along, only what a page of another host needs. */
  private resultRequests(): OriginRequestPolicy {
    return new OriginRequestPolicy(this, "ResultRequests", {
      queryStringBehavior: OriginRequestQueryStringBehavior.all(),
      cookieBehavior: OriginRequestCookieBehavior.none(),
      headerBehavior: OriginRequestHeaderBehavior.allowList(
        "Origin",
        "Access-Control-Request-Headers",
        "Access-Control-Request-Method",
      ),
    });
  }
}

const strictTransportSecurity = { accessControlMaxAge: Duration.days(HSTS_DAYS), override: true };
