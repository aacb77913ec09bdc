import { Skeleton } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { readSearchIndex } from '#api/search.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { ProgressLine } from '#web/ui/feedback/load-states.tsx'
import { t } from '#web/i18n/t.ts'
import './index-status.css'

const POLL_INTERVAL_MS = 2_000

const searchIndexQuery = (collection: string) =>
  queryOptions({
    queryKey: queryKeys.searchIndex(collection),
    queryFn: ({ signal }) => call(readSearchIndex, { params: { collection }, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'building' ? POLL_INTERVAL_MS : false),
  })

const percent = (done: number): string => `${Math.floor(done * 100)} %`

/** Shown until the index is complete; until then, search scans the remaining records. */
export function SearchIndexNote({ collection }: { readonly collection: TypedCollection }) {
  const { data } = useQuery(searchIndexQuery(collection.name))
  if (data?.state !== 'building') return null
  return (
    <p className="search-index-note" role="status">
      {t('Building the search index ({percent}). Until it is ready, searches are complete but slower.', {
        percent: percent(data.done),
      })}
    </p>
  )
}

export function SearchIndexSection({ collection }: { readonly collection: TypedCollection }) {
  const { data, error, refetch } = useQuery(searchIndexQuery(collection.name))
  return (
    <section className="settings-section" aria-labelledby="search-index-title">
      <h2 id="search-index-title">{t('Search')}</h2>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={40} role="img" aria-label={t('Loading')} />}
      {data && <State {...data} />}
    </section>
  )
}

function State({ state, done }: { readonly state: 'whole' | 'building' | 'none'; readonly done: number }) {
  switch (state) {
    case 'whole':
      return <p className="dialog-hint">{t('The search index is complete and up to date.')}</p>
    case 'building':
      return (
        <>
          <p className="dialog-hint">
            {t('Building the search index. Until it is ready, searches are complete but slower.')}
          </p>
          <ProgressLine label={t('{percent} of records indexed', { percent: percent(done) })} done={done} afterMs={0} />
        </>
      )
    case 'none':
      return (
        <p className="dialog-hint">
          {t(
            'The database has no substring index, so searches scan all records. To speed them up, install pg_trgm on the database server. Then allow Dossier to create the extension, or create it yourself.',
          )}
        </p>
      )
  }
}
