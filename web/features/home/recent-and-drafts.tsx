import { ActionIcon } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { type RecentRecord, recentRecords, removeRecentRecord } from '#web/data/storage/browser-storage.ts'
import type { StoredDraft } from '#web/data/storage/draft-storage.ts'
import { t } from '#web/i18n/t.ts'
import { useRecordById } from '#web/shared/lookups/use-record-by-id.ts'
import { discardDraft, draftsOf } from '#web/shared/record-drafts/unsaved-edits.ts'
import { RecordListCard, RecordListItem } from '#web/shared/record-list-card/record-list-card.tsx'
import { IconTrash } from '#web/ui/icons/general.ts'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { notify } from '#web/ui/toast/notify.ts'

const KEY = ['drafts']
/** Interval in ms for checking whether drafts have been saved. */
const REFETCH_INTERVAL_MS = 2_000
/** Not cached, because every page can change the drafts stored in this browser. */
export const draftsQuery = (userId: string) =>
  queryOptions({ queryKey: KEY, queryFn: () => draftsOf(userId), staleTime: 0, gcTime: 0 })

/** Renders nothing if there are no unsaved drafts. */
export function DraftList({ collections }: { readonly collections: readonly CollectionBody[] }) {
  const userId = useUser()?.id ?? ''
  const { data: drafts = [] } = useQuery({
    ...draftsQuery(userId),
    // Drafts appear and disappear while saving is in progress.
    refetchInterval: REFETCH_INTERVAL_MS,
  })
  const shown = drafts.flatMap((draft) => {
    const collection = collections.find(({ id }) => id === draft.collection)
    return collection ? [{ draft, collection }] : []
  })
  if (shown.length === 0) return null
  return (
    <RecordListCard title={t('Your drafts')}>
      <ul>
        {shown.map(({ draft, collection }) => (
          <DraftItem key={draft.record} draft={draft} collection={collection} userId={userId} />
        ))}
      </ul>
      <p className="record-lines-empty">
        {t('Drafts are unsaved and kept only in this browser. Open one to continue.')}
      </p>
    </RecordListCard>
  )
}

type DraftItemProps = {
  readonly draft: StoredDraft
  readonly collection: CollectionBody
  readonly userId: string
}

function DraftItem({ draft, collection, userId }: DraftItemProps) {
  const { title = '', isGone } = useRecordById(collection, draft.record)
  const queryClient = useQueryClient()
  const readAnew = () => queryClient.invalidateQueries({ queryKey: KEY })
  const id = `draft ${draft.record}`
  const discard = async () => {
    const putBack = await discardDraft({ ...draft, userId })
    await readAnew()
    const run = () => {
      notify.dismiss(id)
      void putBack().then(readAnew)
    }
    notify.info(t('Draft discarded'), { id, action: { label: t('Undo'), run } })
  }
  return (
    <RecordListItem
      collection={collection}
      record={draft.record}
      title={isGone ? t('Unavailable record') : title}
      when={<RelativeTime at={new Date(draft.atMs).toISOString()} />}
      actions={
        <ActionIcon
          aria-label={t('Discard the draft of {title}', { title: title || draft.record })}
          title={t('Discard')}
          onClick={() => void discard()}
        >
          <IconTrash size={16} stroke={1.5} />
        </ActionIcon>
      }
    />
  )
}

type RecentListProps = { readonly collections: readonly CollectionBody[] }

/** Recently opened records, except those in deleted collections. */
export const recentlyOpened = (userId: string, collections: readonly CollectionBody[]) =>
  recentRecords(userId).flatMap((one) => {
    const collection = collections.find(({ id }) => id === one.collection)
    return collection ? [{ one, collection }] : []
  })

export function RecentList({ collections }: RecentListProps) {
  const user = useUser()
  if (!user) return null
  const recent = recentlyOpened(user.id, collections)
  return (
    <RecordListCard title={t('Recent')}>
      {recent.length === 0 ? (
        <p className="record-lines-empty">{t('Records you open will appear here.')}</p>
      ) : (
        <ul>
          {recent.map(({ one, collection }) => (
            <RecentItem key={one.record} recent={one} collection={collection} userId={user.id} />
          ))}
        </ul>
      )}
    </RecordListCard>
  )
}

type RecentItemProps = {
  readonly recent: RecentRecord
  readonly collection: CollectionBody
  readonly userId: string
}

function RecentItem({ recent, collection, userId }: RecentItemProps) {
  const { title, isGone, error } = useRecordById(collection, recent.record)
  useEffect(() => {
    if (isGone) removeRecentRecord(userId, recent.record)
  }, [isGone, userId, recent.record])

  if (error || title === undefined) return null
  const when = <RelativeTime at={new Date(recent.atMs).toISOString()} />
  return <RecordListItem collection={collection} record={recent.record} title={title} when={when} />
}
