import { JobError } from "../../../domain/errors.ts";
import { checkSize } from "../geometry/model.ts";
import type { Stored } from "./gltf-asset.ts";

/** How a component is read, its size in bytes, and its divisor when normalized (glTF 2.0, section 3.6.2.2). */
const COMPONENTS: Readonly<
  Record<number, { bytes: number; read: (view: DataView, at: number) => number; max: number }>
> = {
  5120: { bytes: 1, read: (view, at) => view.getInt8(at), max: 127 },
  5121: { bytes: 1, read: (view, at) => view.getUint8(at), max: 255 },
  5122: { bytes: 2, read: (view, at) => view.getInt16(at, true), max: 32_767 },
  5123: { bytes: 2, read: (view, at) => view.getUint16(at, true), max: 65_535 },
  5125: { bytes: 4, read: (view, at) => view.getUint32(at, true), max: 1 },
  5126: { bytes: 4, read: (view, at) => view.getFloat32(at, true), max: 1 },
};

const SIZES: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

/**
 * Reads an accessor of any component type, stride and sparse values.
 *
 * @param size numbers wanted per element; a color without alpha gets 1 for it
 * @throws JobError `source_corrupt` when it exceeds its buffer; `output_too_large`
 */
export const valuesOf = (stored: Stored, index: number, size: 2 | 3 | 4): Float32Array =>
  read(stored, index, { size, into: (count) => new Float32Array(count * size).fill(size === 4 ? 1 : 0) });

/** Reads an accessor of indices, as {@link valuesOf} does. */
export const indicesOf = (stored: Stored, index: number): Uint32Array =>
  read(stored, index, { size: 1, into: (count) => new Uint32Array(count) });

const read = <T extends Float32Array | Uint32Array>(
  stored: Stored,
  index: number,
  { size, into }: { size: number; into: (count: number) => T },
): T => {
  const accessor = stored.json.accessors?.[index];
  const component = COMPONENTS[accessor?.componentType ?? 0];
  const has = SIZES[accessor?.type ?? ""];
  if (accessor === undefined || component === undefined || has === undefined) {
    throw corrupt();
  }
  checkSize(0, size === 1 ? accessor.count / 3 : accessor.count);
  const values = into(accessor.count);
  const scale = accessor.normalized === true ? component.max : 1;
  const put = (element: number, view: DataView, at: number): void => {
    for (let part = 0; part < Math.min(size, has); part += 1) {
      const value = component.read(view, at + part * component.bytes) / scale;
      // For signed numbers, the lowest two values both mean -1.
      values[element * size + part] = accessor.normalized === true ? Math.max(-1, value) : value;
    }
  };
  if (accessor.bufferView !== undefined && accessor.count > 0) {
    const stride = stored.json.bufferViews?.[accessor.bufferView]?.byteStride ?? has * component.bytes;
    const view = viewOf(stored, accessor.bufferView, accessor.byteOffset ?? 0);
    need(view, (accessor.count - 1) * stride + has * component.bytes);
    for (let element = 0; element < accessor.count; element += 1) {
      put(element, view, element * stride);
    }
  }
  const { sparse } = accessor;
  const indexComponent = COMPONENTS[sparse?.indices.componentType ?? 0];
  if (sparse !== undefined && indexComponent !== undefined) {
    const indices = viewOf(stored, sparse.indices.bufferView, sparse.indices.byteOffset ?? 0);
    const exceptions = viewOf(stored, sparse.values.bufferView, sparse.values.byteOffset ?? 0);
    need(indices, sparse.count * indexComponent.bytes);
    need(exceptions, sparse.count * has * component.bytes);
    for (let exception = 0; exception < sparse.count; exception += 1) {
      const element = indexComponent.read(indices, exception * indexComponent.bytes);
      if (element < accessor.count) {
        put(element, exceptions, exception * has * component.bytes);
      }
    }
  }
  return values;
};

const viewOf = ({ json, buffers }: Stored, index: number, offset: number): DataView => {
  const view = json.bufferViews?.[index];
  const buffer = view && buffers[view.buffer];
  const start = (view?.byteOffset ?? 0) + offset;
  if (view === undefined || buffer === undefined || start > buffer.length) {
    throw corrupt();
  }
  const length = Math.min(view.byteLength - offset, buffer.length - start);
  return new DataView(buffer.buffer, buffer.byteOffset + start, Math.max(0, length));
};

const need = (view: DataView, bytes: number): void => {
  if (view.byteLength < bytes) {
    throw corrupt();
  }
};

const corrupt = (): JobError => new JobError("source_corrupt", "An accessor of the model exceeds its buffer.");
