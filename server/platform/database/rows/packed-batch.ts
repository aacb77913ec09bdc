import type { BatchColumn, BatchList, CellValue, PackedBatch } from '#server/platform/database/database.ts'
import { type DictionaryLists, forEachEntryOf } from './dictionary-lists.ts'
import { Deserializer, Serializer } from 'node:v8'

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

/** Hands over every row that is stored, whole. */
export function forEachStoredRow(
  { packed, count, columns, leftOut }: Omit<PackedBatch, 'statement' | 'lists'>,
  take: (cells: readonly CellValue[]) => void,
): void {
  const next = rowUnpacker(packed)
  for (let row = 0; row < count; row += 1) {
    const cells = next()
    if (leftOut.has(row)) continue
    for (const column of columns) cells.push(cellIn(column, row))
    take(cells)
  }
}

const cellIn = (column: BatchColumn, row: number): CellValue =>
  ('ends' in column ? firstPicked(column, row) : column[row]) ?? null

function firstPicked({ texts, places, ends }: DictionaryLists, row: number): string | undefined {
  const at = row === 0 ? 0 : (ends[row - 1] ?? 0)
  return at === ends[row] ? undefined : texts[places[at] ?? 0]
}

/** Hands over every entry of a list. */
export function forEachEntry(
  { owners, picks }: Omit<BatchList, 'statement'>,
  leftOut: ReadonlySet<number>,
  take: (owner: CellValue, position: number, text: string) => void,
): void {
  for (let row = 0; row < owners.length; row += 1) {
    if (leftOut.has(row)) continue
    const owner = owners[row] ?? null
    forEachEntryOf(picks, row, (text, position) => take(owner, position, text))
  }
}
