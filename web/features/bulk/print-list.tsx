import { Button, Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { type Listing, readBlock, totalQuery } from '#web/data/queries/record-list-queries.ts'
import { plural, t } from '#web/i18n/t.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { shownColumns } from '#web/ui/grid/columns/column-layout.ts'
import { BLOCK_ROWS } from '#web/ui/grid/rows/row-window.ts'
import { createStore, useStore } from '#web/ui/store.ts'
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
  readonly look: ListSettings
  readonly onClose: () => void
}

/** Loads all records of a list, prints them as a table, and then closes. */
export function PrintList({ collection, listing, look, onClose }: PrintListProps) {
  const { data, error, refetch } = useRowsToPrint(collection.name, listing)
  const loaded = useStore(loadedCount)
  useEffect(() => {
    if (!data) return
    window.print()
    onClose()
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

type RowsToPrint = { readonly rows: readonly RecordRow[]; readonly total: number }

const useRowsToPrint = (collection: string, listing: Listing) =>
  useQuery({
    queryKey: ['print', collection, listing],
    gcTime: 0,
    staleTime: 0,
    queryFn: async ({ client, signal }): Promise<RowsToPrint> => {
      const { total } = await client.fetchQuery({ ...totalQuery(collection, listing), staleTime: 0 })
      const wanted = Math.min(total ?? MAX_PRINTED, MAX_PRINTED)
      const rows: RecordRow[] = []
      for (let first = 0; first < wanted; first += BLOCK_ROWS) {
        loadedCount.set({ count: first, total: wanted })
        const block = await readBlock(collection, listing, first, signal)
        rows.push(...block.map((record, at) => ({ record, ordinal: first + at })))
        if (block.length < BLOCK_ROWS) break
      }
      return { rows: rows.slice(0, MAX_PRINTED), total: total ?? rows.length }
    },
  })

type PrintSheetProps = RowsToPrint & Pick<PrintListProps, 'collection' | 'look'>

function PrintSheet({ collection, look, rows, total }: PrintSheetProps) {
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
        <tbody>
          {rows.map((row) => (
            <tr key={row.record.id}>
              {shown.map(({ id, align, renderCell }) => (
                <td key={id} data-align={align}>
                  {renderCell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
