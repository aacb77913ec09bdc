import { Badge, Button, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { type ActivityEntry, type ActivityPart, DEFINITION_KINDS } from '#api/activity.ts'
import { LOCALE } from '#web/i18n/locale.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { records } from '#web/shared/bulk-operations/user-jobs.ts'
import { personName, UNTITLED } from '#web/shared/fields/record-title.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { EmptyState } from '#web/ui/feedback/notice.tsx'
import { IconHistory } from '#web/ui/icons/general.ts'
import { ItemList } from '#web/ui/layout/panel.tsx'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { type ActivityFilter, activityQuery } from './activity-queries.ts'
import { DefinitionSentences } from './definition-text.tsx'
import { UndoDialog } from './undo-dialog.tsx'
import './activity-list.css'

type ActivityListProps = {
  readonly collections: readonly TypedCollection[]
  readonly filter: ActivityFilter
  readonly onShowAll: () => void
}

/** What was changed in the workspace, newest first; each change can be undone. */
export function ActivityList({ collections, filter, onShowAll }: ActivityListProps) {
  const { data, error, refetch, ...paging } = useInfiniteQuery(activityQuery(filter))
  const byId = new Map(collections.map((collection) => [collection.id, collection]))
  // Kept while the dialog closes, so that its content doesn't change.
  const [undoing, setUndoing] = useState<ActivityEntry>()
  const [isAsking, setIsAsking] = useState(false)
  const items = data?.pages.flatMap((page) => page.items) ?? []
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={240} radius="md" role="status" aria-label={t('Loading')} />
  if (items.length === 0 && !paging.hasNextPage) return <NoActivity filter={filter} onShowAll={onShowAll} />
  return (
    <div className="activity">
      <ItemList label={t('Changes')}>
        {items.map((entry) => (
          <ActivityRow
            key={entry.id}
            entry={entry}
            collections={byId}
            onUndo={() => {
              setUndoing(entry)
              setIsAsking(true)
            }}
          />
        ))}
      </ItemList>
      {paging.hasNextPage && (
        <Button size="xs" loading={paging.isFetchingNextPage} onClick={() => void paging.fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
      {undoing && (
        <UndoDialog
          key={undoing.id}
          isOpen={isAsking}
          onClose={() => setIsAsking(false)}
          changeSet={undoing.id}
          collections={[...new Set(undoing.parts.flatMap(({ collection }) => byId.get(collection) ?? []))]}
        />
      )}
    </div>
  )
}

function NoActivity({ filter, onShowAll }: Pick<ActivityListProps, 'filter' | 'onShowAll'>) {
  const isFiltered = Object.values(filter).some((value) => value !== '')
  return (
    <EmptyState
      icon={IconHistory}
      text={isFiltered ? t('No changes match.') : t('No changes yet.')}
      action={isFiltered ? { label: t('Clear filters'), onClick: onShowAll } : undefined}
    />
  )
}

type Collections = ReadonlyMap<string, TypedCollection>

type ActivityRowProps = {
  readonly entry: ActivityEntry
  readonly collections: Collections
  readonly onUndo: () => void
}

function ActivityRow({ entry, collections, onUndo }: ActivityRowProps) {
  const { at, parts, isUndone } = entry
  const origin = originOf(entry)
  const wordsId = useId()
  return (
    <li className="line" data-undone={isUndone || undefined}>
      <div className="line-words" id={wordsId}>
        {parts.map((part) => (
          <Part
            key={`${part.kind} ${part.collection} ${part.view ?? part.dashboard ?? ''}`}
            entry={entry}
            part={part}
            collection={collections.get(part.collection)}
          />
        ))}
        <p className="line-detail">
          <RelativeTime at={at} />
          {origin !== undefined && <span className="activity-origin">{origin}</span>}
        </p>
      </div>
      {isUndone && <Badge variant="default">{t('Undone')}</Badge>}
      {canUndo(entry, collections) && (
        <Button size="xs" onClick={onUndo} aria-describedby={wordsId}>
          {t('Undo')}
        </Button>
      )}
    </li>
  )
}

const WRITING = ['records:create', 'records:update', 'records:delete', 'records:transition'] as const

/** Changes of definitions are shown only to those who may make them. */
const isOfDefinition = ({ kind }: ActivityPart): boolean => DEFINITIONS.has(kind)

const DEFINITIONS: ReadonlySet<string> = new Set(DEFINITION_KINDS)

const canUndo = ({ parts }: ActivityEntry, collections: Collections): boolean =>
  parts.some(
    (part) =>
      isOfDefinition(part) || WRITING.some((permission) => collections.get(part.collection)?.can.includes(permission)),
  )

/** Placeholders that `Say` replaces with elements. */
const TAGS = {
  name: '{name}',
  what: '{what}',
  where: '{where}',
  fields: '{fields}',
  view: '{view}',
  dashboard: '{dashboard}',
}

const SENTENCES: { readonly [Kind in ActivityPart['kind']]: string } = {
  'record-created': t('{name} created {what} in {where}', TAGS),
  'record-changed': t('{name} changed {fields} of {what} in {where}', TAGS),
  'record-moved': t('{name} changed {fields} of {what} in {where}', TAGS),
  'record-deleted': t('{name} deleted {what} in {where}', TAGS),
  'record-restored': t('{name} restored {what} in {where}', TAGS),
  'records-imported': t('{name} imported {what} into {where}', TAGS),
  'collection-created': t('{name} created the collection {where}', TAGS),
  'collection-changed': t('{name} changed the settings of {where}', TAGS),
  'collection-deleted': t('{name} deleted the collection {where}', TAGS),
  'view-created': t('{name} created the view {view} in {where}', TAGS),
  'view-changed': t('{name} changed the view {view} in {where}', TAGS),
  'view-deleted': t('{name} deleted the view {view} in {where}', TAGS),
  'dashboard-created': t('{name} created the dashboard {dashboard}', TAGS),
  'dashboard-shared': t('{name} shared the dashboard {dashboard}', TAGS),
  'dashboard-changed': t('{name} changed the dashboard {dashboard}', TAGS),
  'dashboard-unshared': t('{name} made the dashboard {dashboard} private', TAGS),
  'dashboard-deleted': t('{name} deleted the dashboard {dashboard}', TAGS),
}

type PartProps = {
  readonly entry: ActivityEntry
  readonly part: ActivityPart
  readonly collection: TypedCollection | undefined
}

function Part({ entry: { user }, part, collection }: PartProps) {
  const values = {
    name: <strong>{user === null ? t('System') : personName(user.name)}</strong>,
    what: whatOf(part, collection),
    where: collection ? (
      <Link to="/collections/$collection" params={{ collection: collection.name }}>
        {collection.label}
      </Link>
    ) : (
      <b>{part.label}</b>
    ),
    fields: fieldsText(part, collection),
    view: <b>{part.view}</b>,
    dashboard: <b>{part.dashboard}</b>,
  }
  if (part.changes) return <DefinitionSentences changes={part.changes} values={values} />
  return (
    <p className="activity-part" dir="auto">
      <Say text={SENTENCES[part.kind]} values={values} />
    </p>
  )
}

function whatOf({ record, count }: ActivityPart, collection: TypedCollection | undefined): ReactNode {
  if (record === null || !collection) return count === null ? t('several records') : records(count)
  return (
    <Link to="/collections/$collection/$record" params={{ collection: collection.name, record: record.id }}>
      {record.title === '' ? UNTITLED : record.title}
    </Link>
  )
}

/** Fields that are named; of more, the number is shown. */
const MAX_NAMED = 3

function fieldsText({ fields }: ActivityPart, collection: TypedCollection | undefined): string {
  const labels = fields.map((name) => collection?.fields.find((field) => field.name === name)?.label ?? name)
  const rest = labels.length - MAX_NAMED
  const named = rest > 0 ? [...labels.slice(0, MAX_NAMED), t('{rest} more', { rest })] : labels
  return new Intl.ListFormat(LOCALE).format(named)
}

/** How a change was made, if not by hand. */
function originOf({ via, source, parts }: ActivityEntry): string | undefined {
  switch (via) {
    case 'token':
      return source === null ? t('API token') : t('API token “{source}”', { source })
    case 'import':
      return source ?? undefined
    case 'job':
      return parts.every(isOfDefinition) ? undefined : t('Bulk change')
    case 'restore':
      return t('Undo')
    case 'cli':
      return t('Command line')
    default:
      return undefined
  }
}
