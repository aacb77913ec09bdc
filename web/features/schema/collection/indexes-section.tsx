import { Badge, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type IndexBody, listIndexes } from '#api/indexes.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { listText } from '#web/i18n/locale.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { IconArrowsSort, IconFilter2, IconLayoutList } from '#web/ui/icons/general.ts'
import { ItemList, ListItem } from '#web/ui/layout/panel.tsx'
import { formatBytes } from '#web/ui/text/format-numbers.ts'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import '#web/features/schema/schema.css'

/** For example “Filtered by Status, sorted by Amount (descending)”. */
export function describeIndex(
  { finds, sorts, groups, reads }: Pick<IndexBody, 'finds' | 'sorts' | 'groups' | 'reads'>,
  collection: TypedCollection,
): string {
  const label = (name: string): string => labelOf(name, collection)
  const parts = [
    ...(finds.length > 0 ? [t('filtered by {listed}', { listed: listText(finds.map(label)) })] : []),
    ...(groups.length > 0 ? [t('grouped by {listed}', { listed: listText(groups.map(label)) })] : []),
    ...(sorts.length > 0
      ? [t('sorted by {listed}', { listed: listText(sorts.map((sort) => describeSort(sort, label))) })]
      : []),
    ...(reads.length > 0 ? [t('with {listed}', { listed: listText(reads.map(label)) })] : []),
  ]
  const sentence = parts.join(', ')
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

function describeSort(sort: string, label: (name: string) => string): string {
  return sort.startsWith('-') ? t('{field} (descending)', { field: label(sort.slice(1)) }) : label(sort)
}

const SYSTEM_LABELS: { readonly [name: string]: string } = {
  createdAt: t('Created'),
  createdBy: t('Created by'),
  updatedAt: t('Last edited'),
  updatedBy: t('Last edited by'),
}

const labelOf = (name: string, { fields }: TypedCollection): string =>
  fields.find((field) => field.name === name)?.label ?? SYSTEM_LABELS[name] ?? name

const POLL_INTERVAL_MS = 2000

export function IndexesSection({ collection }: { readonly collection: TypedCollection }) {
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.indexes(collection.name),
    queryFn: ({ signal }) => call(listIndexes, { params: { collection: collection.name }, signal }),
    refetchInterval: ({ state }) => (state.data?.items.some(isBuilding) ? POLL_INTERVAL_MS : false),
  })
  return (
    <section className="settings-section" aria-labelledby="speed-title">
      <h2 id="speed-title">{t('Performance')}</h2>
      {data ? (
        <Indexes {...data} collection={collection} />
      ) : error ? (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={60} role="img" aria-label={t('Loading')} />
      )}
    </section>
  )
}

type IndexesProps = {
  readonly items: readonly IndexBody[]
  readonly fromRecords: number
  readonly most: number
  readonly collection: TypedCollection
}

function Indexes({ items, fromRecords, most, collection }: IndexesProps) {
  const rule = t(
    'In collections with {fromRecords} or more records, slow lists get their own index. Indexes unused for 30 days are deleted.',
    { fromRecords },
  )
  if (items.length === 0) return <p className="dialog-hint">{`${t('No indexes yet.')} ${rule}`}</p>
  return (
    <>
      <p className="dialog-hint">
        {`${rule} ${t('{count} of at most {most} indexes.', { count: items.length, most })}`}
      </p>
      <ItemList label={t('Indexes')}>
        {items.map((index) => (
          <ListItem
            key={index.id}
            icon={iconOf(index)}
            title={describeIndex(index, collection)}
            mark={isBuilding(index) && <Badge color="primary">{t('Building index')}</Badge>}
            detail={
              isBuilding(index) ? (
                <Say text="Started {when}" values={{ when: <RelativeTime at={index.since} /> }} />
              ) : (
                <Facts index={index} />
              )
            }
          />
        ))}
      </ItemList>
    </>
  )
}

const isBuilding = ({ state }: IndexBody): boolean => state === 'building'

function iconOf({ groups, finds }: IndexBody) {
  if (groups.length > 0) return IconLayoutList
  return finds.length > 0 ? IconFilter2 : IconArrowsSort
}

function Facts({ index }: { readonly index: IndexBody }) {
  return (
    <>
      <Say text="Created {when}" values={{ when: <RelativeTime at={index.since} /> }} />
      {' · '}
      <Say text="Last used {when}" values={{ when: <RelativeTime at={index.usedAt} /> }} />
      {index.bytes !== null && ` · ${formatBytes(index.bytes)}`}
    </>
  )
}
