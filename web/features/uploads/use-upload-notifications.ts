import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readRecord, type RecordBody } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { type UploadEvent, uploads } from '#web/data/uploads/uploads.ts'
import { typedCollection } from '#web/shared/fields/typed-collection.ts'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { plural, t } from '#web/i18n/t.ts'
import { syncStoredRecord } from '#web/shared/record-drafts/mirror-draft-in-list.ts'
import { listEdits } from '#web/shared/cell-editing/list-cells.ts'
import { invalidateLists, cacheRecord } from '#web/data/queries/record-queries.ts'

type Attached = Extract<UploadEvent, { is: 'attached' }>

/** Reports files of records that aren't open, and shows them wherever the record is. */
export function useUploadNotifications(): void {
  const queryClient = useQueryClient()
  useEffect(
    () =>
      uploads.events.subscribe((news) => {
        if (news.is === 'attached') void showAttached(queryClient, news)
        else
          notify.error(
            t('“{name}” was uploaded but not added to {label}', { name: news.job.name, label: news.job.place.label }),
            {
              id: `refused-${news.job.id}`,
              detail: t('{why} You can find the file under Uploads.', { why: news.why }),
            },
          )
      }),
    [queryClient],
  )
}

async function showAttached(queryClient: QueryClient, { place, files, attached, givenAtMs }: Attached): Promise<void> {
  const { collection, record: id, label } = place
  const told = `files-added-${collection}-${id}-${place.field}`
  notify.success(plural(files.length, '{n} file added to {label}', '{n} files added to {label}', { label }), {
    id: told,
  })
  const query = { expand: '*' }
  const record = await call(readRecord, { params: { collection, record: id }, query }).then(
    (found) => found,
    () => undefined,
  )
  if (!record) return invalidateLists(queryClient, collection)
  cacheRecord(queryClient, collection, record)
  if (place.isDocument === true) invalidateLists(queryClient, collection)
  else showInList(queryClient, place, { record, attached, givenAtMs })
}

type Stored = Pick<Attached, 'attached' | 'givenAtMs'> & { readonly record: RecordBody }

/** Adds the files to the list, with its own undo. */
function showInList(queryClient: QueryClient, place: Attached['place'], { record, attached, givenAtMs }: Stored): void {
  const body = queryClient.getQueryData(collectionsQuery.queryKey)?.find(({ name }) => name === place.collection)
  const gridActions = body && listEdits(body.id).gridActions()
  if (!body || !gridActions) return invalidateLists(queryClient, place.collection)
  const is = toClientValue('files', record.values[place.field])
  const was = is.filter(({ id }) => attached.before.includes(id))
  const change = { record: record.id, field: place.field, was, is }
  gridActions.changedElsewhere(
    [change],
    new Map([[record.id, attached.record.version - 1]]),
    `files ${record.id} ${place.field} ${givenAtMs}`,
  )
  syncStoredRecord(listEdits(body.id), typedCollection(body), { record, fields: [place.field] })
}
