import { Skeleton } from '@mantine/core'
import { useEffect } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import { forgetRecord, type RecentRecord, recentRecords } from '#web/client/recent-records.ts'
import { useUser } from '#web/client/use-session.ts'
import { RecordLine, RecordLines } from '#web/fields/record-lines/record-lines.tsx'
import { useNamedRecord } from '#web/fields/use-named-record.ts'
import { RelativeTime } from '#web/kit/relative-time.tsx'
import { t } from '#web/language/t.ts'

type RecentListProps = { readonly collections: readonly CollectionBody[] }

/** What whoever is signed in opened last in this browser. */
export function RecentList({ collections }: RecentListProps) {
  const user = useUser()
  if (!user) return null
  const recent = recentRecords(user.id).flatMap((one) => {
    const collection = collections.find(({ id }) => id === one.collection)
    return collection ? [{ one, collection }] : []
  })
  return (
    <RecordLines title={t('Recently opened')}>
      {recent.length === 0 ? (
        <p className="record-lines-empty">{t('The records you open are found here again.')}</p>
      ) : (
        <ul>
          {recent.map(({ one, collection }) => (
            <RecentItem key={one.record} recent={one} collection={collection} userId={user.id} />
          ))}
        </ul>
      )}
    </RecordLines>
  )
}

type RecentItemProps = {
  readonly recent: RecentRecord
  readonly collection: CollectionBody
  readonly userId: string
}

function RecentItem({ recent, collection, userId }: RecentItemProps) {
  const { title, isGone, error } = useNamedRecord(collection, recent.record)
  useEffect(() => {
    if (isGone) forgetRecord(userId, recent.record)
  }, [isGone, userId, recent.record])

  if (error) return null
  if (title === undefined) return <Skeleton component="li" height={20} width="40%" my={10} radius="xs" />
  const when = <RelativeTime at={new Date(recent.atMs).toISOString()} />
  return <RecordLine collection={collection} record={recent.record} title={title} when={when} />
}
