import type { Sealer } from "./sealer.ts";

/** A storage of an account, to which results are exported and from which files are imported. */
export interface Storage {
  readonly accountId: string;
  /** Unique in its account. */
  readonly name: string;
  readonly place: Place;
  /** The {@link Credentials}, sealed for this storage. */
  readonly sealed: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Where the files are. */
export type Place = S3Place | WebdavPlace;

export interface S3Place {
  readonly type: "s3";
  /** The URL of the service, without the bucket. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Whether the bucket is part of the host name. @default it is the first part of the path */
  readonly virtualHost?: true;
}

export interface WebdavPlace {
  readonly type: "webdav";
  /** The URL of the folder that keys are relative to. */
  readonly endpoint: string;
}

/** The access key of S3, or the user of WebDAV. */
export interface Credentials {
  readonly id: string;
  readonly secret: string;
}

/** A storage with its credentials. Never returned or logged. */
export interface OpenStorage {
  readonly place: Place;
  readonly credentials: Credentials;
}

/**
 * Writes a small file to a storage, and deletes it.
 * @returns what failed; undefined: nothing
 */
export type StorageTester = (storage: OpenStorage) => Promise<string | undefined>;

/** The storages of accounts. */
export interface StorageStore {
  /** Adds the storage, or replaces the one with its name. */
  put(storage: Storage): Promise<void>;
  /** Strongly consistent. */
  get(accountId: string, name: string): Promise<Storage | undefined>;
  /** @returns the storages of the account by name. The newest can be missing for a moment */
  list(accountId: string): Promise<readonly Storage[]>;
  /** @returns whether the storage existed */
  remove(accountId: string, name: string): Promise<boolean>;
}

const sealedFor = ({ accountId, name }: Pick<Storage, "accountId" | "name">): string => `storage ${accountId} ${name}`;

/** @returns the credentials, sealed for this storage */
export const sealCredentials = (
  sealer: Sealer,
  storage: Pick<Storage, "accountId" | "name">,
  { id, secret }: Credentials,
): string => sealer.seal(JSON.stringify({ id, secret }), sealedFor(storage));

/** @returns the storage with its credentials @throws Error when they were sealed with another key */
export const openStorage = (sealer: Sealer, storage: Storage): OpenStorage => ({
  place: storage.place,
  // Only `sealCredentials` seals for this record.
  credentials: JSON.parse(sealer.open(storage.sealed, sealedFor(storage))) as Credentials,
});

/** @returns the address of an object, without credentials */
export const locationIn = (place: Place, key: string): string =>
  place.type === "s3" ? `s3://${place.bucket}/${key}` : objectUrl(place, key).href;

/** @returns the URL of an object */
export const objectUrl = (place: Place, key: string): URL => {
  const base = new URL(place.endpoint);
  const folder = base.pathname.replace(/\/$/, "");
  const path = key.split("/").map(encodedSegment).join("/");
  if (place.type === "webdav") {
    return new URL(`${folder}/${path}`, base);
  }
  if (place.virtualHost) {
    base.hostname = `${place.bucket}.${base.hostname}`;
    return new URL(`${folder}/${path}`, base);
  }
  return new URL(`${folder}/${place.bucket}/${path}`, base);
};

/** S3 signs every character that is not unreserved (RFC 3986) in its encoded form; `encodeURIComponent` keeps five. */
const encodedSegment = (segment: string): string =>
  encodeURIComponent(segment).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
