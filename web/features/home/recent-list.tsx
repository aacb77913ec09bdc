import { useEffect } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import { type RecentRecord, recentRecords, removeRecentRecord } from '#web/data/storage/browser-storage.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { RecordListItem, RecordListCard } from '#web/shared/record-list-card/record-list-card.tsx'
import { useRecordById } from '#web/shared/lookups/use-record-by-id.ts'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { t } from '#web/i18n/t.ts'

type RecentListProps = { readonly collections: readonly CollectionBody[] }

/** Leaves out records of deleted collections. */
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
