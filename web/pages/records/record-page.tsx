import { ActionIcon, Tooltip } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { pastCollection, type TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { useCollection } from '#web/features/schema/collection/collection-queries.ts'
import { listParts, listSort, parseListQuery } from '#web/features/list-toolbar/url/list-query-params.ts'
import { RecordView } from '#web/features/record/record-view.tsx'
import { ExplainAccessButton } from '#web/features/roles/explain/explain-access-button.tsx'
import { IconLayoutList } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { NotFoundPage } from '#web/pages/frame/error-pages.tsx'
import { PageFrame } from '#web/pages/frame/page-frame.tsx'
import { readOrdinal } from './use-open-record.ts'

/** The record page; its URL includes the list that it was opened from and the record's position in that list. */
export function RecordPage() {
  const { collection: name = '', record = '' } = useParams({ strict: false })
  const { collection, error, retry } = useCollection(name)
  if (collection === null) return <NotFoundPage />
  if (collection === undefined) {
    return error ? (
      <PageFrame title={t('Record')}>
        <FailureNotice error={error} onRetry={retry} />
      </PageFrame>
    ) : null
  }
  return <RecordOf collection={collection} recordId={record} />
}

function RecordOf({
  collection: current,
  recordId,
}: {
  readonly collection: TypedCollection
  readonly recordId: string
}) {
  const parts = useSearch({ strict: false })
  const navigate = useNavigate()
  const query = parseListQuery(parts)
  const ordinal = readOrdinal(parts['at'])
  const { filter, search } = query
  const at = query.asOf ?? undefined
  const collection = useMemo(() => (at === undefined ? current : pastCollection(current)), [current, at])
  const sort = listSort(query)
  const position = useMemo(
    () => (ordinal === undefined ? undefined : { listing: { filter, search, sort, at }, ordinal }),
    [ordinal, filter, search, sort, at],
  )
  const list = listParts(parts)
  const { name } = collection
  const showInList = (position: number) => {
    const page = query.perPage === 'all' ? 1 : Math.floor(position / query.perPage) + 1
    const search = { ...list, ...(page > 1 && { page: String(page) }), open: recordId, at: String(position) }
    void navigate({ to: '/collections/$collection', params: { collection: name }, search })
  }
  return (
    <RecordView
      collection={collection}
      recordId={recordId}
      position={position}
      at={at}
      actions={
        <>
          <ExplainAccessButton
            key={recordId}
            size="xs"
            given={{
              permission: 'records:update',
              collection: collection.id,
              record: { value: recordId, label: t('This record') },
            }}
          />
          {ordinal !== undefined && (
            <Tooltip label={t('Show in list')}>
              <ActionIcon aria-label={t('Show in list')} onClick={() => showInList(ordinal)}>
                <IconLayoutList size={18} stroke={1.5} />
              </ActionIcon>
            </Tooltip>
          )}
        </>
      }
      onGo={(record, position) =>
        void navigate({
          to: '/collections/$collection/$record',
          params: { collection: name, record },
          search: { ...list, at: String(position) },
          replace: true,
        })
      }
      onOpen={(record) =>
        void navigate({ to: '/collections/$collection/$record', params: { collection: name, record }, search: list })
      }
      onLeave={() => void navigate({ to: '/collections/$collection', params: { collection: name }, search: list })}
    />
  )
}
