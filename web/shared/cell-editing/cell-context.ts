import type { QueryClient } from '@tanstack/react-query'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { GridHandle } from '#web/ui/grid/editing/grid-editing.ts'
import { type GridSource, rowAt } from '#web/ui/grid/grid-source.ts'
import { BLOCK_ROWS, type Span } from '#web/ui/grid/rows/row-window.ts'
import type { RecordRow } from './record-row.ts'
import { type Listing, readBlock } from '#web/data/queries/record-list-queries.ts'
import type { CellEdits } from './store/cell-edits.ts'

/** What is known of a list at the moment somebody edits in it. */
export type ListContext = {
  readonly collection: TypedCollection
  readonly listing: Listing
  readonly source: GridSource<RecordRow>
  readonly queryClient: QueryClient
  readonly grid: () => GridHandle | null
}

/** The same with what was edited in it. */
export type CellContext = ListContext & { readonly edits: CellEdits }

/** The lines of some runs of the list; those that are not loaded are read first. */
export async function rowsIn(world: CellContext, spans: readonly Span[]): Promise<readonly RecordRow[]> {
  const loaded = loadedRows(world, spans)
  return loaded ?? readRows(world, spans)
}

/** The lines of some runs of the list; undefined as soon as one of them is not loaded. */
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

/** Where a record stands among the lines that are loaded. */
export function ordinalOf({ source }: CellContext, record: string): number | undefined {
  const first = source.kind === 'page' ? source.first : 0
  const count = source.kind === 'page' ? source.rows.length : source.total
  // From the end: what was just made stands there, and a list may be a million long.
  for (let ordinal = first + count - 1; ordinal >= first; ordinal -= 1)
    if (rowAt(source, ordinal)?.record.id === record) return ordinal
  return undefined
}

/** Whether what a list shows, or its order, may hang on these fields. */
export function affectsListing({ filter, search, sort }: Listing, fields: readonly string[]): boolean {
  const words = `${filter} ${sort}`
  return search.trim() !== '' || [...fields, 'updatedAt', 'updatedBy'].some((name) => words.includes(name))
}
