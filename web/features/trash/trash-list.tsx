import { Button, Checkbox, Skeleton } from '@mantine/core'
import {
  infiniteQueryOptions,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useId, useState } from 'react'
import { deletePermanently, listTrash, restoreFromTrash, type TrashedRecord } from '#api/trash.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { NEWEST_FIRST, queryKeys } from '#web/data/queries/query-client.ts'
import { invalidateLists } from '#web/data/queries/record-queries.ts'
import { Say } from '#web/i18n/say.tsx'
import { plural, t } from '#web/i18n/t.ts'
import { notifyNotDeleted } from '#web/shared/bulk-operations/delete-records.ts'
import { notifyUndone } from '#web/shared/bulk-operations/send-bulk.ts'
import { records } from '#web/shared/bulk-operations/user-jobs.ts'
import { personName, recordTitle, UNTITLED } from '#web/shared/fields/record-title.ts'
import { typedCollection, type TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { FailureNotice, notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { EmptyState } from '#web/ui/feedback/notice.tsx'
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx'
import { IconTrash } from '#web/ui/icons/general.ts'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { ItemList } from '#web/ui/layout/panel.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import './trash-list.css'

type TrashListProps = {
  readonly filter: TrashFilter
  /** Whether something that will be shown above the list is loading. */
  readonly isWaiting: boolean
  readonly onShowAll: () => void
}

/** Deleted records, which can be restored or deleted permanently. */
export function TrashList({ filter, isWaiting, onShowAll }: TrashListProps) {
  const { data, error, refetch, ...paging } = useInfiniteQuery(trashQuery(filter))
  const items = data?.pages.flatMap((page) => page.items) ?? []
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const collections = useTypedCollections()
  const shown = items.filter(({ record }) => picked.has(record.id))
  const pick = (ids: readonly string[], isPicked: boolean) => {
    const rest = [...picked].filter((id) => !ids.includes(id))
    setPicked(new Set(isPicked ? [...rest, ...ids] : rest))
  }
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />
  // A new element, because the same one would shift.
  if (!data || isWaiting)
    return <Skeleton key={String(isWaiting)} height={240} radius="md" role="status" aria-label={t('Loading')} />
  if (items.length === 0 && !paging.hasNextPage) return <NothingInTrash filter={filter} onShowAll={onShowAll} />
  const all = items.map(({ record }) => record.id)
  return (
    <div className="trash">
      <div className="trash-tools">
        <Checkbox
          label={shown.length === 0 ? t('Select all shown') : plural(shown.length, '{n} selected', '{n} selected')}
          checked={items.length > 0 && shown.length === items.length}
          indeterminate={shown.length > 0 && shown.length < items.length}
          onChange={({ currentTarget }) => pick(all, currentTarget.checked)}
        />
        <TrashActions chosen={shown} collections={collections} onDone={() => setPicked(new Set())} />
      </div>
      <ItemList label={t('Deleted records')}>
        {items.map((item) => (
          <TrashRow
            key={item.record.id}
            item={item}
            collection={collections.get(item.collection)}
            isPicked={picked.has(item.record.id)}
            onPick={(isPicked) => pick([item.record.id], isPicked)}
          />
        ))}
      </ItemList>
      {paging.hasNextPage && (
        <Button size="xs" loading={paging.isFetchingNextPage} onClick={() => void paging.fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </div>
  )
}

function useTypedCollections(): ReadonlyMap<string, TypedCollection> {
  const { data = [] } = useQuery(collectionsQuery)
  return new Map(data.map((body) => [body.id, typedCollection(body)]))
}

function NothingInTrash({ filter, onShowAll }: Pick<TrashListProps, 'filter' | 'onShowAll'>) {
  const isFiltered = filter.collection !== '' || filter.search !== ''
  return (
    <EmptyState
      icon={IconTrash}
      text={isFiltered ? t('No deleted records match.') : t('The trash is empty.')}
      action={isFiltered ? { label: t('Clear filter and search'), onClick: onShowAll } : undefined}
    />
  )
}

function useRestore(collections: ReadonlyMap<string, TypedCollection>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (chosen: readonly TrashedRecord[]) =>
      call(restoreFromTrash, { body: { records: chosen.map(({ record }) => record.id) } }),
    onSuccess: async (said, chosen) => {
      const names = new Set(chosen.flatMap(({ collection }) => collections.get(collection)?.name ?? []))
      await refreshTrash(queryClient, [...names])
      await notifyUndone('restore-from-trash', said)
    },
    onError: notifyFailure(t('Couldn’t restore the records')),
  })
}

type TrashActionsProps = {
  readonly chosen: readonly TrashedRecord[]
  readonly collections: ReadonlyMap<string, TypedCollection>
  readonly onDone: () => void
}

const canAll = (
  { chosen, collections }: TrashActionsProps,
  permissions: readonly TypedCollection['can'][number][],
): boolean =>
  chosen.every(({ collection }) =>
    permissions.some((permission) => collections.get(collection)?.can.includes(permission)),
  )

function TrashActions(props: TrashActionsProps) {
  const { chosen, collections, onDone } = props
  const queryClient = useQueryClient()
  // Kept while the dialog closes, so that its title doesn't change.
  const [confirming, setConfirming] = useState<readonly TrashedRecord[]>([])
  const [isAsking, setIsAsking] = useState(false)
  const restore = useRestore(collections)
  const deletion = useMutation({
    mutationFn: () => call(deletePermanently, { body: { records: confirming.map(({ record }) => record.id) } }),
    onSuccess: async ({ deleted }) => {
      setIsAsking(false)
      onDone()
      await refreshTrash(queryClient, [])
      if (deleted > 0) notify.success(t('Permanently deleted {records}', { records: records(deleted) }))
      if (deleted < confirming.length) notifyNotDeleted(confirming.length - deleted)
    },
    onError: notifyFailure(t('Couldn’t delete the records')),
  })
  const mayRestore = chosen.length > 0 && canAll(props, ['records:create', 'records:update'])
  const mayDelete = chosen.length > 0 && canAll(props, ['records:delete'])
  const deletesAnywhere = [...collections.values()].some(({ can }) => can.includes('records:delete'))
  return (
    <div className="trash-actions" role="group" aria-label={t('Selected records')}>
      <Button
        size="xs"
        data-disabled={!mayRestore}
        aria-disabled={!mayRestore}
        aria-busy={restore.isPending}
        onClick={() => mayRestore && !restore.isPending && restore.mutate(chosen, { onSuccess: onDone })}
      >
        {t('Restore')}
      </Button>
      {deletesAnywhere && (
        <Button
          size="xs"
          color="danger"
          variant="subtle"
          data-disabled={!mayDelete}
          aria-disabled={!mayDelete}
          onClick={() => {
            if (!mayDelete) return
            setConfirming(chosen)
            setIsAsking(true)
          }}
        >
          {t('Delete permanently')}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('Delete {records} permanently?', { records: records(confirming.length) })}
        actionLabel={t('Delete permanently')}
        isBusy={deletion.isPending}
        onConfirm={() => deletion.mutate()}
      >
        {t('This can’t be undone.')}
      </ConfirmDialog>
    </div>
  )
}

type TrashRowProps = {
  readonly item: TrashedRecord
  readonly collection: TypedCollection | undefined
  readonly isPicked: boolean
  readonly onPick: (isPicked: boolean) => void
}

function TrashRow({ item, collection, isPicked, onPick }: TrashRowProps) {
  const { record, deletedAt, deletedBy, expiresAt } = item
  const id = useId()
  const title = collection ? recordTitle(collection, record) : UNTITLED
  const values = {
    when: <RelativeTime at={deletedAt} />,
    name: deletedBy === null ? t('System') : personName(deletedBy.name),
  }
  return (
    <li className="line" data-selected={isPicked || undefined}>
      <Checkbox
        id={id}
        aria-label={t('Select {title}', { title })}
        checked={isPicked}
        onChange={({ currentTarget }) => onPick(currentTarget.checked)}
      />
      <label className="line-words" htmlFor={id}>
        <strong className="trash-title" dir="auto">
          {title}
        </strong>
        <span className="line-detail">
          {collection && <span className="trash-collection">{collection.label}</span>}
          <Say text="Deleted {when} by {name}" values={values} />
        </span>
      </label>
      <span className="trash-expiry">{daysLeftText(expiresAt)}</span>
    </li>
  )
}

type TrashFilter = { readonly collection: string; readonly search: string }

const trashQuery = ({ collection, search }: TrashFilter) =>
  infiniteQueryOptions({
    queryKey: [...queryKeys.trash, collection, search],
    queryFn: ({ pageParam, signal }) =>
      call(listTrash, {
        query: {
          ...(collection !== '' && { collection }),
          ...(search !== '' && { search }),
          ...(pageParam !== null && { before: pageParam }),
        },
        signal,
      }),
    ...NEWEST_FIRST,
    refetchOnMount: 'always',
  })

/** Refreshes the trash, and the lists of collections whose records were restored. */
async function refreshTrash(queryClient: QueryClient, collections: readonly string[]): Promise<void> {
  for (const collection of collections) invalidateLists(queryClient, collection)
  void queryClient.invalidateQueries({ queryKey: queryKeys.home })
  await queryClient.invalidateQueries({ queryKey: queryKeys.trash })
}

const DAY_MS = 24 * 60 * 60 * 1000

export function daysLeftText(expiresAt: string): string {
  const days = Math.max(0, Math.ceil((Date.parse(expiresAt) - Date.now()) / DAY_MS))
  return plural(days, '{n} day left', '{n} days left')
}
