import { Button, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { RecordBody } from '#api/records.ts'
import type { StatusChange } from '#api/workflows.ts'
import type { Field } from '#domain/fields/field.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { OptionChip } from '#web/field-kinds/select/option-chip.tsx'
import { IconArrowRight } from '#web/ui/icons/later.ts'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { isThere } from '#web/shared/fields/editable-cells.ts'
import { statusHistoryQuery } from '#web/shared/workflow/transition-queries.ts'
import { personName } from '#web/shared/fields/record-title.ts'
import './status-history.css'

type StatusHistoryProps = { readonly collection: TypedCollection; readonly record: RecordBody }

/** Empty without a workflow or with a hidden status. */
export function StatusHistory({ collection, record }: StatusHistoryProps) {
  const field = collection.fields.find(({ id }) => id === collection.workflow?.field)
  if (field?.kind !== 'state' || !isThere(field.name, record.values)) return null
  return <History field={field} collection={collection} record={record} />
}

function History({ field, collection, record }: StatusHistoryProps & { readonly field: Field<'state'> }) {
  const headingId = useId()
  const { data, error, refetch, ...paging } = useInfiniteQuery(statusHistoryQuery(collection.name, record.id))
  const items = data?.pages.flatMap((page) => page.items) ?? []
  return (
    <section className="status-history" aria-labelledby={headingId}>
      <h2 id={headingId}>{t('Status history')}</h2>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={48} role="status" aria-busy aria-label={t('Loading')} />}
      {data && items.length === 0 && <p className="status-history-empty">{t('No status changes yet')}</p>}
      {items.length > 0 && (
        <ol aria-labelledby={headingId}>
          {items.map((change) => (
            <Change key={change.id} field={field} change={change} />
          ))}
        </ol>
      )}
      {paging.hasNextPage && (
        <Button size="xs" loading={paging.isFetchingNextPage} onClick={() => void paging.fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </section>
  )
}

function Change({ field, change }: { readonly field: Field<'state'>; readonly change: StatusChange }) {
  const { at, user, from, to, note } = change
  return (
    <li>
      <div className="status-change">
        <Status field={field} name={from} />
        <IconArrowRight size={14} stroke={1.75} aria-label={t('to')} role="img" />
        <Status field={field} name={to} />
        <span className="status-change-by">
          {user === null ? (
            <RelativeTime at={at} />
          ) : (
            <Say text="{name}, {when}" values={{ name: personName(user.name), when: <RelativeTime at={at} /> }} />
          )}
        </span>
      </div>
      {note !== null && <p className="status-change-note">{note}</p>}
    </li>
  )
}

function Status({ field, name }: { readonly field: Field<'state'>; readonly name: string | null }) {
  if (name === null) return <span className="status-removed">{t('Removed status')}</span>
  const choice = field.options.choices.find((each) => each.name === name)
  return <OptionChip name={name} color={choice?.color ?? 'gray'} />
}
