import { Deserializer, Serializer } from 'node:v8'
import type { CellValue } from '#server/platform/database/database.ts'

/** Puts rows into bytes one by one, so that none is kept as what it was. */
export type RowPacker = {
  readonly add: (row: readonly CellValue[]) => void
  readonly bytes: () => Uint8Array<ArrayBuffer>
}

/** Packs rows for another thread; one that only passes them on need not unpack them. */
export function rowPacker(): RowPacker {
  const serializer = new Serializer()
  serializer.writeHeader()
  return {
    add: (row) => void serializer.writeValue(row),
    bytes: () => serializer.releaseBuffer(),
  }
}

/** Takes rows out again, one after the other, as many as were packed. */
export function rowUnpacker(bytes: Uint8Array): () => CellValue[] {
  const deserializer = new Deserializer(bytes)
  deserializer.readHeader()
  // Nothing but rows is ever packed.
  return () => deserializer.readValue() as CellValue[]
}
