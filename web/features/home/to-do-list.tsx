import { Button } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import { listTransitionable, type TransitionableBody } from '#api/home.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { RecordListItem, RecordListCard } from '#web/shared/record-list-card/record-list-card.tsx'
import { OptionChip } from '#web/field-kinds/select/option-chip.tsx'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { numberText } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'

type ToDoListProps = { readonly collections: readonly CollectionBody[] }

/** Enabled only if a collection has a workflow. */
export const toDoQuery = (collections: readonly CollectionBody[]) =>
  queryOptions({
    queryKey: queryKeys.waiting,
    queryFn: ({ signal }) => call(listTransitionable, { signal }),
    enabled: collections.some(({ workflow, can }) => workflow && can.includes('records:transition')),
  })

export function ToDoList({ collections }: ToDoListProps) {
  const waiting = toDoQuery(collections)
  const { data, failureCount } = useQuery(waiting)
  if (!waiting.enabled) return null
  const byId = new Map(collections.map((collection) => [collection.id, collection]))
  return (
    <RecordListCard title={t('To do')} aside={data && <ShowAllLink lists={data.lists} byId={byId} />}>
      {!data && failureCount > 0 && <p className="record-lines-empty">{t('Couldn’t load your to-do list.')}</p>}
      {data?.items.length === 0 && (
        <p className="record-lines-empty">{t('You’re all caught up. Records that need your action appear here.')}</p>
      )}
      {data && data.items.length > 0 && <ToDoItems items={data.items} byId={byId} />}
    </RecordListCard>
  )
}

/** Number of records initially shown, to leave room for the rest of the page. */
const SHOWN_FIRST = 8

type ToDoItemsProps = {
  readonly items: readonly TransitionableBody[]
  readonly byId: ReadonlyMap<string, CollectionBody>
}

function ToDoItems({ items, byId }: ToDoItemsProps) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? items : items.slice(0, SHOWN_FIRST)
  const more = items.length - shown.length
  return (
    <>
      <ul>
        {shown.map((item) => (
          <ToDoItem key={item.record} item={item} collection={byId.get(item.collection)} />
        ))}
      </ul>
      {more > 0 && (
        <Button size="xs" variant="subtle" className="record-lines-more" onClick={() => setWhole(true)}>
          {t('Show {more} more', { more })}
        </Button>
      )}
    </>
  )
}

type ToDoItemProps = { readonly item: TransitionableBody; readonly collection: CollectionBody | undefined }

function ToDoItem({ item, collection }: ToDoItemProps) {
  if (!collection) return null
  const mark = (
    <span className="record-line-mark">
      <OptionChip name={item.state.name} color={item.state.color} />
    </span>
  )
  return (
    <RecordListItem
      collection={collection}
      record={item.record}
      title={item.title}
      mark={mark}
      when={<RelativeTime at={item.since} />}
    />
  )
}

type ShowAllLinkProps = {
  readonly lists: readonly {
    readonly collection: string
    readonly filter: string
    readonly total: number | null
    readonly totalIs?: 'exact' | 'atLeast' | undefined
  }[]
  readonly byId: ReadonlyMap<string, CollectionBody>
}

function ShowAllLink({ lists, byId }: ShowAllLinkProps) {
  return (
    <span className="record-lines-all">
      {lists.map(({ collection: id, filter, total, totalIs }) => {
        const collection = byId.get(id)
        return (
          collection && (
            <Link key={id} to="/collections/$collection" params={{ collection: collection.name }} search={{ filter }}>
              {allText(collection.label, total, totalIs)}
            </Link>
          )
        )
      })}
    </span>
  )
}

function allText(label: string, total: number | null, totalIs: 'exact' | 'atLeast' = 'exact'): string {
  if (total === null) return t('All in {label}', { label })
  const count = numberText(total)
  return totalIs === 'exact'
    ? t('All {count} in {label}', { count, label })
    : t('More than {count} in {label}', { count, label })
}
