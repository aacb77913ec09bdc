import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { useCollection } from '#web/features/collections/collection-queries.ts'
import { listParts, listSort, readAddress } from '#web/features/filters/query-in-url.ts'
import { RecordView } from '#web/features/records/record-view.tsx'
import { AskRightsButton } from '#web/features/roles/ask-rights-button.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { PageFrame } from './page-frame.tsx'
import { readOrdinal } from './use-open-record.ts'

/** One record, whole. Its address also tells the list it was opened from, and its place there. */
export function RecordPage() {
  const { collection: name = '', record = '' } = useParams({ strict: false })
  const { collection, error, retry } = useCollection(name)
  if (collection === null) return <NotFoundPage />
  if (collection === undefined) {
    return error ? (
      <PageFrame title="Record">
        <FailureNotice error={error} onRetry={retry} />
      </PageFrame>
    ) : null
  }
  return <RecordOf collection={collection} recordId={record} />
}

function RecordOf({ collection, recordId }: { readonly collection: KnownCollection; readonly recordId: string }) {
  const parts = useSearch({ strict: false })
  const navigate = useNavigate()
  const query = readAddress(parts)
  const ordinal = readOrdinal(parts['at'])
  const { filter, search } = query
  const sort = listSort(query)
  const position = useMemo(
    () => (ordinal === undefined ? undefined : { listing: { filter, search, sort }, ordinal }),
    [ordinal, filter, search, sort],
  )
  const list = listParts(parts)
  const { name } = collection
  return (
    <RecordView
      collection={collection}
      recordId={recordId}
      position={position}
      actions={
        <AskRightsButton
          key={recordId}
          size="xs"
          given={{
            permission: 'records:update',
            collection: collection.id,
            record: { value: recordId, label: 'This record' },
          }}
        />
      }
      onGo={(record, at) =>
        void navigate({
          to: '/collections/$collection/$record',
          params: { collection: name, record },
          search: { ...list, at: String(at) },
          replace: true,
        })
      }
      onLeave={() => void navigate({ to: '/collections/$collection', params: { collection: name }, search: list })}
    />
  )
}
