import type { BatchColumn, BatchList, BoundCell, CellValue, PackedBatch } from '#server/platform/database/database.ts'
import { type DictionaryLists, forEachEntryOf } from './dictionary-lists.ts'
import { Deserializer, Serializer } from 'node:v8'

export type RowPacker = {
  readonly add: (row: readonly CellValue[]) => void
  readonly bytes: () => Uint8Array<ArrayBuffer>
}

export function rowPacker(): RowPacker {
  const serializer = new Serializer()
  serializer.writeHeader()
  return {
    add: (row) => void serializer.writeValue(row),
    bytes: () => serializer.releaseBuffer(),
  }
}

export function rowUnpacker(bytes: Uint8Array): () => CellValue[] {
  const deserializer = new Deserializer(bytes)
  deserializer.readHeader()
  return () => deserializer.readValue() as CellValue[]
}

export function forEachStoredRow(
  { packed, count, columns, leftOut }: Omit<PackedBatch, 'statement' | 'lists'>,
  take: (cells: readonly BoundCell[]) => void,
): void {
  const next = rowUnpacker(packed)
  for (let row = 0; row < count; row += 1) {
    const cells: BoundCell[] = next()
    if (leftOut.has(row)) continue
    for (const column of columns) cells.push(cellIn(column, row))
    take(cells)
  }
}

const cellIn = (column: BatchColumn, row: number): BoundCell =>
  ('ends' in column ? firstPicked(column, row) : column[row]) ?? null

function firstPicked({ texts, places, ends }: DictionaryLists, row: number): string | undefined {
  const at = row === 0 ? 0 : (ends[row - 1] ?? 0)
  return at === ends[row] ? undefined : texts[places[at] ?? 0]
}

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
