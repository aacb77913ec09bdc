import type { QueryClient } from '@tanstack/react-query'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { GridHandle } from '#web/ui/grid/editing/grid-editing.ts'
import { type GridSource, rowAt } from '#web/ui/grid/grid-props.ts'
import { BLOCK_ROWS, type Span } from '#web/ui/grid/rows/row-window.ts'
import { type Listing, readBlock } from '#web/data/queries/record-list-queries.ts'
import type { CellEdits, CellErrors, EditsSnapshot } from './store/cell-edits.ts'
import type { RecordListItem } from '#api/records.ts'

export type RecordRow = {
  readonly record: RecordListItem
  /** Zero-based position in the whole list. */
  readonly ordinal: number
  readonly faults?: CellErrors
}

export type ListContext = {
  readonly collection: TypedCollection
  readonly listing: Listing
  readonly source: GridSource<RecordRow>
  readonly queryClient: QueryClient
  readonly grid: () => GridHandle | null
}

export type CellContext = ListContext & { readonly edits: CellEdits }

export async function rowsIn(world: CellContext, spans: readonly Span[]): Promise<readonly RecordRow[]> {
  const loaded = loadedRows(world, spans)
  return loaded ?? readRows(world, spans)
}

/** Undefined if any row isn't loaded. */
export function loadedRows({ source }: CellContext, spans: readonly Span[]): readonly RecordRow[] | undefined {
  const lines: RecordRow[] = []
  for (const { first, end } of spans) {
    for (let ordinal = first; ordinal < end; ordinal += 1) {
      const line = rowAt(source, ordinal)
      if (line === undefined) return undefined
      lines.push(line)
    }
  }
  return lines
}

async function readRows(world: CellContext, spans: readonly Span[]): Promise<readonly RecordRow[]> {
  const { source, collection, listing, edits } = world
  const blocks = new Map<number, readonly RecordRow[]>()
  const signal = new AbortController().signal
  const lines: RecordRow[] = []
  for (const { first, end } of spans) {
    for (let ordinal = first; ordinal < end; ordinal += 1) {
      const here = rowAt(source, ordinal)
      const block = Math.floor(ordinal / BLOCK_ROWS)
      if (here === undefined && !blocks.has(block)) {
        const records = await readBlock(collection.name, listing, block * BLOCK_ROWS, signal)
        const line = (record: RecordRow['record'], at: number): RecordRow => ({
          record: edits.over(record)?.record ?? record,
          ordinal: block * BLOCK_ROWS + at,
        })
        blocks.set(block, records.map(line))
      }
      const found = here ?? blocks.get(block)?.[ordinal % BLOCK_ROWS]
      if (found) lines.push(found)
    }
  }
  return lines
}

export function ordinalOf({ source }: CellContext, record: string): number | undefined {
  const first = source.kind === 'page' ? source.first : 0
  const count = source.kind === 'page' ? source.rows.length : source.total
  // Searches backward, because new records are at the end and a list may have a million rows.
  for (let ordinal = first + count - 1; ordinal >= first; ordinal -= 1)
    if (rowAt(source, ordinal)?.record.id === record) return ordinal
  return undefined
}

/** Whether changes to these fields can affect which records the list shows, or their order. */
export function affectsListing({ filter, search, sort }: Listing, fields: readonly string[]): boolean {
  const words = `${filter} ${sort}`
  return search.trim() !== '' || [...fields, 'updatedAt', 'updatedBy'].some((name) => words.includes(name))
}

/** Cached, so that unchanged rows keep their object identity. */
const editedRows = new WeakMap<RecordRow, RecordRow>()

export function applyEditsToRow<Line extends RecordRow | undefined>(
  line: Line,
  edits: EditsSnapshot,
): RecordRow | Line {
  const over = line && edits.over(line.record)
  if (!line || !over) return line
  const known = editedRows.get(line)
  if (known?.record === over.record && known.faults === over.faults) return known
  const edited: RecordRow = { ...line, record: over.record, faults: over.faults }
  editedRows.set(line, edited)
  return edited
}

export const applyEditsToRows = (lines: readonly RecordRow[], edits: EditsSnapshot): readonly RecordRow[] =>
  lines.map((line) => applyEditsToRow(line, edits))

/** New records shown below a list that doesn't include them yet. */
export function createdRows(
  made: readonly RecordListItem[],
  known: readonly RecordListItem[],
  firstOrdinal: number,
): readonly RecordRow[] {
  const fresh = made.filter(({ id }) => known.every((record) => record.id !== id))
  return fresh.map((record, at) => ({ record, ordinal: firstOrdinal + at }))
}
