import { api, type Schemas } from "../../api.ts";
import { monthsBack } from "../usage/months.ts";

/** Items per request; the service accepts at most 100. */
const PAGE_ITEMS = 100;

/** Pages of a list that are read at most, so that a server that repeats itself cannot keep the browser busy. */
const PAGES_MAX = 10_000;

/**
 * @returns everything that the service stores about the signed-in account, without files and secrets
 * @throws ApiProblem
 */
export const ownData = async (): Promise<object> => {
  const { account } = await api.get<Schemas["Session"]>("session");
  const { sessions } = await api.get<Schemas["DeviceList"]>("session/devices");
  const { passkeys } = await api.get<Schemas["PasskeyList"]>("session/passkeys");
  return {
    account,
    sessions,
    passkeys,
    members: await api.get<Schemas["MemberList"]>("session/members"),
    keys: (await api.get<Schemas["KeyList"]>("keys")).keys,
    usage: await usage(),
    jobs: await every<Schemas["JobList"], unknown>("convert", ({ jobs }) => jobs),
    storages: (await api.get<Schemas["StorageList"]>("storages")).storages,
    presets: (await api.get<Schemas["PresetList"]>("presets")).presets,
    pipelines: await every<Schemas["PipelineList"], unknown>("pipelines", ({ pipelines }) => pipelines),
    requests: await every<Schemas["RequestList"], unknown>("requests", ({ requests }) => requests),
    webhookEndpoints: (await api.get<Schemas["WebhookEndpointList"]>("webhook-endpoints")).endpoints.map(
      ({ secrets: _, ...endpoint }) => endpoint,
    ),
    webhooks: await every<Schemas["WebhookList"], unknown>("webhooks", ({ messages }) => messages),
  };
};

type Used = Schemas["Use"] & Pick<Schemas["UseDetails"], "rows">;

/** @returns the months in which the account was used, newest first, with their jobs by key, formats and outcome */
const usage = async (): Promise<Used[]> => {
  const used: Used[] = [];
  for (const month of monthsBack(Date.now())) {
    const use = await api.get<Schemas["Use"]>(`account/use?month=${month}`);
    if (use.used > 0 || use.days.some(({ upload, convert, download }) => upload + convert + download > 0)) {
      const { rows } = await api.get<Schemas["UseDetails"]>(`account/use/details?month=${month}`);
      used.push({ ...use, rows });
    }
  }
  return used;
};

interface List {
  readonly next: string | null;
}

/** @returns the items of all pages of a list */
const every = async <L extends List, Item>(path: string, itemsOf: (list: L) => readonly Item[]): Promise<Item[]> => {
  const items: Item[] = [];
  let after = "";
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const list = await api.get<L>(`${path}?limit=${PAGE_ITEMS}${after}`);
    items.push(...itemsOf(list));
    if (list.next === null) {
      break;
    }
    after = `&after=${encodeURIComponent(list.next)}`;
  }
  return items;
};
