import { Button, Progress } from '@mantine/core'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { createPortal } from 'react-dom'
import { type Listing, readBlock, totalQuery } from '#web/data/queries/record-list-queries.ts'
import { plural, t } from '#web/i18n/t.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { printPage } from '#web/ui/browser/printing.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { shownColumns } from '#web/ui/grid/columns/column-layout.ts'
import type { GridColumn } from '#web/ui/grid/columns/grid-column.ts'
import { ALL_EXPANDED, type GridGroup, groupedLines } from '#web/ui/grid/groups/group-rows.ts'
import { BLOCK_ROWS, plainLines } from '#web/ui/grid/rows/row-window.ts'
import { createStore, useStore } from '#web/ui/store.ts'
import {
  gridGroups,
  type GroupBody,
  GROUPS_PER_PAGE,
  groupsQuery,
  spanOfPage,
} from '#web/views/listing/groups/use-groups.ts'
import type { ListSettings } from '#web/views/listing/list-settings.ts'
import { recordColumns } from '#web/views/grid/record-columns.tsx'
import './print-list.css'

/** Maximum number of rows, because more would print hundreds of pages and slow down the browser. */
const MAX_PRINTED = 5000

/** Maximum number of columns in portrait format; pages with more columns are printed in landscape format. */
const MAX_UPRIGHT_COLUMNS = 5

type PrintListProps = {
  readonly collection: TypedCollection
  readonly listing: Listing
  /** Comma-separated names of the fields that the list is grouped by. */
  readonly group: string | null
  readonly look: ListSettings
  readonly onClose: () => void
}

/** Loads all records of a list, prints them as a table, and then closes. */
export function PrintList({ collection, listing, group, look, onClose }: PrintListProps) {
  const { data, error, refetch } = useRowsToPrint(collection, listing, group)
  const loaded = useStore(loadedCount)
  useEffect(() => {
    if (data) void printPage().finally(onClose)
  }, [data, onClose])
  if (data) return createPortal(<PrintSheet collection={collection} look={look} {...data} />, document.body)
  return (
    <Dialog opened onClose={onClose} title={t('Preparing to print')} size={420}>
      {error ? (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="print-progress" role="status">
          <Progress value={loaded.total === 0 ? 0 : (loaded.count / loaded.total) * 100} aria-label={t('Loading')} />
          <p>{t('{count} of {records}', { count: loaded.count, records: recordsText(loaded.total) })}</p>
          <Button onClick={onClose}>{t('Cancel')}</Button>
        </div>
      )}
    </Dialog>
  )
}

const recordsText = (count: number): string => plural(count, '{n} record', '{n} records')

const loadedCount = createStore({ count: 0, total: 0 })

type RowsToPrint = {
  readonly rows: readonly RecordRow[]
  readonly groups: readonly GridGroup[]
  readonly total: number
}

const useRowsToPrint = (collection: TypedCollection, listing: Listing, group: string | null) =>
  useQuery({
    queryKey: ['print', collection.name, listing, group],
    gcTime: 0,
    staleTime: 0,
    queryFn: async ({ client, signal }): Promise<RowsToPrint> => {
      const { total } = await client.fetchQuery({ ...totalQuery(collection.name, listing), staleTime: 0 })
      const wanted = Math.min(total ?? MAX_PRINTED, MAX_PRINTED)
      const rows: RecordRow[] = []
      for (let first = 0; first < wanted; first += BLOCK_ROWS) {
        loadedCount.set({ count: first, total: wanted })
        const block = await readBlock(collection.name, listing, first, signal)
        rows.push(...block.map((record, at) => ({ record, ordinal: first + at })))
        if (block.length < BLOCK_ROWS) break
      }
      const printed = rows.slice(0, MAX_PRINTED)
      const groups = group === null ? [] : await readGroups(client, { collection, listing, group }, printed.length)
      return { rows: printed, groups, total: total ?? rows.length }
    },
  })

/** The groups of the first rows of a list. */
async function readGroups(
  client: QueryClient,
  { collection, listing, group }: Pick<PrintListProps, 'collection' | 'listing'> & { readonly group: string },
  rowCount: number,
): Promise<readonly GridGroup[]> {
  const names = group.split(',')
  // The sort order starts with the group-by fields, each with its own direction.
  const by = listing.sort.split(',').slice(0, names.length)
  const levels: GroupBody[][] = []
  for (const depth of names.keys()) {
    const level: GroupBody[] = []
    for (let page = 1; ; page++) {
      const query = { by: by.slice(0, depth + 1).join(','), aggregates: '', page }
      const { groups } = await client.fetchQuery({ ...groupsQuery(collection.name, query, listing), staleTime: 0 })
      level.push(...groups)
      if (groups.length < GROUPS_PER_PAGE || spanOfPage(groups).end >= rowCount) break
    }
    levels.push(level)
  }
  return gridGroups(collection, names, levels, () => undefined)
}

type PrintSheetProps = RowsToPrint & Pick<PrintListProps, 'collection' | 'look'>

function PrintSheet({ collection, look, rows, groups, total }: PrintSheetProps) {
  const columns = recordColumns(collection, undefined)
  const { ids } = shownColumns(columns, look.layout)
  const shown = ids.flatMap((id) => columns.find((column) => column.id === id) ?? [])
  return (
    <section className="print-sheet" data-wide={shown.length > MAX_UPRIGHT_COLUMNS || undefined}>
      <h1>{collection.label}</h1>
      <p>
        {rows.length < total
          ? t('First {count} of {records}', { count: rows.length, records: recordsText(total) })
          : recordsText(total)}
      </p>
      <table>
        <thead>
          <tr>
            {shown.map(({ id, header, align }) => (
              <th key={id} scope="col" data-align={align}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{printedLines(rows, groups, shown)}</tbody>
      </table>
    </section>
  )
}

function printedLines(
  rows: readonly RecordRow[],
  groups: readonly GridGroup[],
  columns: readonly GridColumn<RecordRow>[],
): readonly ReactNode[] {
  const span = { first: 0, end: rows.length }
  const lines = groups.length === 0 ? plainLines(span) : groupedLines(groups, ALL_EXPANDED, span)
  return Array.from({ length: lines.lineCount }, (_, line) => {
    const found = lines.lineAt(line)
    if (found?.kind === 'group') return <GroupLine key={line} group={groups[found.groupIndex]} width={columns.length} />
    const row = found && rows[found.ordinal]
    return row && <RowLine key={line} row={row} columns={columns} />
  })
}

type RowLineProps = { readonly row: RecordRow; readonly columns: readonly GridColumn<RecordRow>[] }

const RowLine = ({ row, columns }: RowLineProps) => (
  <tr>
    {columns.map(({ id, align, renderCell }) => (
      <td key={id} data-align={align}>
        {renderCell(row)}
      </td>
    ))}
  </tr>
)

type GroupLineProps = { readonly group: GridGroup | undefined; readonly width: number }

const GroupLine = ({ group, width }: GroupLineProps) =>
  group && (
    <tr className="print-group" data-depth={group.depth}>
      <th scope="rowgroup" colSpan={width}>
        {group.label} <span>{recordsText(group.count)}</span>
      </th>
    </tr>
  )
