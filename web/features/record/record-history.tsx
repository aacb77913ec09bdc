import { Button, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import type { PersonBody, RecordBody } from '#api/records.ts'
import type { StatusChange } from '#api/workflows.ts'
import type { Field } from '#domain/fields/field.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { OptionChip } from '#web/field-kinds/select/option-chip.tsx'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { isThere } from '#web/shared/fields/editable-cells.ts'
import { personIn, personName } from '#web/shared/fields/record-title.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { statusHistoryQuery } from '#web/shared/workflow/transition-queries.ts'
import { IconArrowRight } from '#web/ui/icons/later.ts'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import './record-view.css'
import './status-history.css'

type StatusHistoryProps = { readonly collection: TypedCollection; readonly record: RecordBody }

/** Renders nothing if there is no workflow or the status is hidden. */
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
  if (name === null) return <span className="status-removed">{t('Deleted status')}</span>
  const choice = field.options.choices.find((each) => each.name === name)
  return <OptionChip name={name} color={choice?.color ?? 'gray'} />
}

export function RecordTimes({ record }: { readonly record: RecordBody }) {
  const { createdAt, updatedAt } = record
  const me = useUser()?.id ?? null
  const created = valuesOf(createdAt, personIn(record, 'createdBy'), me)
  const updated = valuesOf(updatedAt, personIn(record, 'updatedBy'), me)
  return (
    <footer className="record-times">
      <span>
        {created.by === 'me' && <Say text="Created {when} by you" values={created} />}
        {created.by === 'other' && <Say text="Created {when} by {name}" values={created} />}
        {created.by === 'unknown' && <Say text="Created {when}" values={created} />}
      </span>
      {updatedAt !== createdAt && (
        <span>
          {updated.by === 'me' && <Say text="Updated {when} by you" values={updated} />}
          {updated.by === 'other' && <Say text="Updated {when} by {name}" values={updated} />}
          {updated.by === 'unknown' && <Say text="Updated {when}" values={updated} />}
        </span>
      )}
    </footer>
  )
}

type Values = { readonly by: 'me' | 'other' | 'unknown'; readonly when: ReactNode; readonly name: string }

function valuesOf(at: string, person: PersonBody | null, me: string | null): Values {
  const name = person?.name ?? ''
  const by = person !== null && person.id === me ? 'me' : name === '' ? 'unknown' : 'other'
  return { by, when: <RelativeTime at={at} />, name }
}
