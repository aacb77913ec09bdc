import { ActionIcon, Button, Skeleton, Tooltip } from '@mantine/core'
import { infiniteQueryOptions, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { type HistoryEntryBody, listHistory, restoreVersion } from '#api/history.ts'
import type { RecordBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { call } from '#web/data/api/call.ts'
import { NEWEST_FIRST, queryKeys } from '#web/data/queries/query-client.ts'
import { invalidateLists, recordQuery } from '#web/data/queries/record-queries.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { personName } from '#web/shared/fields/record-title.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { FailureNotice, notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import type { DraftSaver } from '#web/shared/record-drafts/draft-saver.ts'
import { Select } from '#web/ui/dropdown/select.tsx'
import { IconRestore } from '#web/ui/icons/later.ts'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { EraseHistory } from './erase-history.tsx'
import { ChangedValue, type FieldChange } from './changed-value.tsx'
import './record-history.css'

export type RecordHistoryProps = {
  readonly collection: TypedCollection
  readonly record: RecordBody
  readonly saver: DraftSaver
  readonly canWrite: boolean
  /** Names of fields that can't be edited in this record. */
  readonly readOnly: ReadonlySet<string>
}

type HistoryFilter = { readonly field: string | null; readonly person: string | null }

const historyKey = (collection: string, record: string) => [...queryKeys.record(collection, record), 'history']

const historyQuery = (collection: string, record: string, { field, person }: HistoryFilter) =>
  infiniteQueryOptions({
    queryKey: [...historyKey(collection, record), field, person],
    queryFn: ({ pageParam, signal }) =>
      call(listHistory, {
        params: { collection, record },
        query: {
          ...(field !== null && { field }),
          ...(person !== null && { person }),
          ...(pageParam !== null && { before: pageParam }),
        },
        signal,
      }),
    ...NEWEST_FIRST,
  })

/** The changes of a record, newest first, each of which can be restored. */
export function RecordHistory(props: RecordHistoryProps) {
  const { collection, record } = props
  const headingId = useId()
  const [filter, setFilter] = useState<HistoryFilter>({ field: null, person: null })
  const { data, error, refetch, ...paging } = useInfiniteQuery(historyQuery(collection.name, record.id, filter))
  useRefetchOnChange(collection.name, record)
  const items = data?.pages.flatMap((page) => page.items) ?? []
  const { restore, isRestoring } = useRestoreVersion(props)
  const isFiltered = filter.field !== null || filter.person !== null
  return (
    <section className="record-history" aria-labelledby={headingId}>
      <div className="record-history-top">
        <h2 id={headingId}>{t('History')}</h2>
        <HistoryFilters collection={collection} items={items} filter={filter} onFilter={setFilter} />
      </div>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={48} role="status" aria-busy aria-label={t('Loading')} />}
      {data && items.length === 0 && (
        <p className="record-history-empty">{isFiltered ? t('No matching changes') : t('No changes yet')}</p>
      )}
      {items.length > 0 && (
        <ol aria-labelledby={headingId}>
          {items.map((entry) => (
            <Entry
              key={entry.id}
              {...props}
              entry={entry}
              isNewest={!isFiltered && entry.id === items[0]?.id}
              isRestoring={isRestoring}
              onRestore={restore}
            />
          ))}
        </ol>
      )}
      {paging.hasNextPage && (
        <Button size="xs" loading={paging.isFetchingNextPage} onClick={() => void paging.fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
      {items.length > 0 && !isFiltered && <EraseHistory collection={collection.name} record={record.id} />}
    </section>
  )
}

function useRefetchOnChange(collection: string, { id, version }: RecordBody): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: historyKey(collection, id) })
  }, [queryClient, collection, id, version])
}

type HistoryFiltersProps = {
  readonly collection: TypedCollection
  readonly items: readonly HistoryEntryBody[]
  readonly filter: HistoryFilter
  readonly onFilter: (filter: HistoryFilter) => void
}

function HistoryFilters({ collection, items, filter, onFilter }: HistoryFiltersProps) {
  // People stay in the list while a filter hides their changes.
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(new Map())
  const found = items.flatMap(({ user }) => (user && known.get(user.id) === undefined ? user : []))
  if (found.length > 0) setKnown(new Map([...known, ...found.map(({ id, name }) => [id, personName(name)] as const)]))
  return (
    <>
      <Select
        size="xs"
        aria-label={t('Field')}
        placeholder={t('All fields')}
        clearable
        searchable
        data={collection.fields.map(({ name, label }) => ({ value: name, label }))}
        value={filter.field}
        onChange={(field) => onFilter({ ...filter, field })}
      />
      {(known.size > 1 || filter.person !== null) && (
        <Select
          size="xs"
          aria-label={t('Person')}
          placeholder={t('Everyone')}
          clearable
          data={[...known].map(([value, label]) => ({ value, label }))}
          value={filter.person}
          onChange={(person) => onFilter({ ...filter, person })}
        />
      )}
    </>
  )
}

type Side = 'before' | 'after'

type Restore = (entry: string, side: Side, fields?: readonly string[]) => void

/** Restores values and offers to undo it: the state before the restoration's own entry. */
function useRestoreVersion({ collection, record, saver }: RecordHistoryProps) {
  const queryClient = useQueryClient()
  const [isRestoring, setIsRestoring] = useState(false)
  const params = { collection: collection.name, record: record.id }
  const send = (entry: string, side: Side, fields?: readonly string[]) =>
    call(restoreVersion, { params: { ...params, entry }, body: { side, ...(fields && { fields: [...fields] }) } })
  const refresh = async (): Promise<void> => {
    invalidateLists(queryClient, collection.name)
    await queryClient.invalidateQueries({ queryKey: recordQuery(collection.name, record.id).queryKey })
  }
  const undo = async (done: HistoryEntryBody): Promise<void> => {
    await saver.flush()
    const fields = done.changes.map(({ field }) => field)
    await send(done.id, 'before', fields).then(refresh, notifyFailure(t('Couldn’t undo')))
  }
  const run = async (entry: string, side: Side, fields: readonly string[] | undefined): Promise<void> => {
    // The restored values replace unsaved edits.
    for (const field of fields ?? []) saver.settle(field, 'theirs')
    await saver.flush()
    if (fields === undefined) saver.discard()
    const { version } = saver.get().base
    const restored = await send(entry, side, fields)
    const [done] = (await call(listHistory, { params, query: { perPage: 1 } })).items
    await refresh()
    if (restored.version === version || !done) return void notify.info(t('The record already has these values'))
    notify.success(fields ? t('Value restored') : recordRestoredText(collection), {
      action: { label: t('Undo'), run: () => void undo(done) },
    })
  }
  const restore: Restore = (entry, side, fields) => {
    if (isRestoring) return
    setIsRestoring(true)
    void run(entry, side, fields)
      .then(undefined, notifyFailure(t('Couldn’t restore')))
      .finally(() => setIsRestoring(false))
  }
  return { restore, isRestoring }
}

const recordRestoredText = ({ fields }: TypedCollection): string =>
  fields.some(({ kind }) => kind === 'state') ? t('Record restored, except its status') : t('Record restored')

type EntryProps = RecordHistoryProps & {
  readonly entry: HistoryEntryBody
  readonly isNewest: boolean
  readonly isRestoring: boolean
  readonly onRestore: Restore
}

function Entry({ collection, entry, isNewest, canWrite, readOnly, isRestoring, onRestore }: EntryProps) {
  const titleId = useId()
  const canRestoreAll = canWrite && !isNewest && entry.kind !== 'deleted'
  return (
    <li>
      <div className="history-entry-top">
        <EntryTitle id={titleId} entry={entry} />
        {canRestoreAll && (
          <Button
            className="history-restore-all"
            size="compact-xs"
            variant="subtle"
            color="gray"
            aria-busy={isRestoring}
            aria-describedby={titleId}
            onClick={() => onRestore(entry.id, 'after')}
          >
            {t('Restore this version')}
          </Button>
        )}
      </div>
      {entry.note !== null && (
        <p className="history-note" dir="auto">
          {entry.note}
        </p>
      )}
      {entry.kind !== 'deleted' && (
        <dl className="history-changes">
          {entry.changes.map((change) => {
            const field = collection.fields.find(({ name }) => name === change.field)
            if (!field) return null
            const canRestore =
              canWrite && !readOnly.has(field.name) && CHANGES.has(entry.kind) && isRestorable(field, change)
            return (
              <ChangedValue
                key={field.id}
                field={field}
                change={change}
                isNew={!CHANGES.has(entry.kind)}
                restore={
                  canRestore && (
                    <RestoreButton
                      label={field.label}
                      titleId={titleId}
                      isBusy={isRestoring}
                      onClick={() => onRestore(entry.id, 'before', [field.name])}
                    />
                  )
                }
              />
            )
          })}
        </dl>
      )}
    </li>
  )
}

const CHANGES: ReadonlySet<HistoryEntryBody['kind']> = new Set(['changed', 'moved'])

const isRestorable = ({ kind }: Field, { isText }: FieldChange): boolean =>
  kind !== 'state' && kind !== 'auto-number' && isText !== true

/** Placeholders that `Say` replaces with elements. */
const TAGS = { name: '{name}', when: '{when}', source: '{source}' }

const SENTENCES: { readonly [Kind in HistoryEntryBody['kind']]: string } = {
  created: t('{name} created this record {when}', TAGS),
  changed: t('{name}, {when}', TAGS),
  moved: t('{name}, {when}', TAGS),
  deleted: t('{name} deleted this record {when}', TAGS),
  restored: t('{name} restored this record {when}', TAGS),
}

function sentenceOf({ kind, via, source }: HistoryEntryBody): string {
  if (kind !== 'created' || via !== 'import') return SENTENCES[kind]
  return source === null
    ? t('{name} imported this record {when}', TAGS)
    : t('{name} imported this record from {source} {when}', TAGS)
}

/** How a change was made, if not by hand. */
function originOf({ kind, via, source }: HistoryEntryBody): string | undefined {
  if (via === 'token') return source === null ? t('API token') : t('API token “{source}”', { source })
  if (via === 'job') return t('Bulk change')
  if (via === 'import' && kind !== 'created') return source === null ? t('Import') : t('Import of {source}', { source })
  return via === 'restore' && kind !== 'restored' ? t('Restored') : undefined
}

function EntryTitle({ id, entry }: { readonly id: string; readonly entry: HistoryEntryBody }) {
  const { user, source, at } = entry
  const values = {
    name: <strong>{user === null ? t('System') : personName(user.name)}</strong>,
    when: <RelativeTime at={at} />,
    source,
  }
  const origin = originOf(entry)
  return (
    <p id={id} className="history-title">
      <Say text={sentenceOf(entry)} values={values} />
      {origin !== undefined && <span className="history-origin">{origin}</span>}
    </p>
  )
}

type RestoreButtonProps = {
  readonly label: string
  readonly titleId: string
  readonly isBusy: boolean
  readonly onClick: () => void
}

function RestoreButton({ label, titleId, isBusy, onClick }: RestoreButtonProps) {
  return (
    <Tooltip label={t('Restore the previous value')}>
      <ActionIcon
        className="history-restore"
        size="sm"
        aria-label={t('Restore the previous value of {label}', { label })}
        aria-describedby={titleId}
        aria-busy={isBusy}
        onClick={onClick}
      >
        <IconRestore size={16} stroke={1.5} />
      </ActionIcon>
    </Tooltip>
  )
}
