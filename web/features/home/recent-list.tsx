import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import { readRecord } from '#api/records.ts'
import { call } from '#web/client/call.ts'
import { asCallFailed } from '#web/client/call-failed.ts'
import { forgetRecord, type RecentRecord, recentRecords } from '#web/client/recent-records.ts'
import { useUser } from '#web/client/use-session.ts'
import { knownCollection } from '#web/fields/known-field.ts'
import { recordTitle } from '#web/fields/record-title.ts'
import './recent-list.css'

type RecentListProps = { readonly collections: readonly CollectionBody[] }

/** What whoever is signed in opened last in this browser. */
export function RecentList({ collections }: RecentListProps) {
  const user = useUser()
  if (!user) return null
  const recent = recentRecords(user.id).flatMap((one) => {
    const collection = collections.find(({ id }) => id === one.collection)
    return collection ? [{ one, collection }] : []
  })
  if (recent.length === 0) return null
  return (
    <section className="recent-list" aria-labelledby="recent-list">
      <h2 id="recent-list">Recently opened</h2>
      <ul>
        {recent.map(({ one, collection }) => (
          <RecentItem key={one.record} recent={one} collection={collection} userId={user.id} />
        ))}
      </ul>
    </section>
  )
}

type RecentItemProps = {
  readonly recent: RecentRecord
  readonly collection: CollectionBody
  readonly userId: string
}

function RecentItem({ recent, collection, userId }: RecentItemProps) {
  const params = { collection: collection.name, record: recent.record }
  const { data: record, error } = useQuery({
    queryKey: ['recent', recent.record],
    queryFn: ({ signal }) => call(readRecord, { params, signal }),
  })
  const isGone = asCallFailed(error)?.status === 404
  useEffect(() => {
    if (isGone) forgetRecord(userId, recent.record)
  }, [isGone, userId, recent.record])

  if (error) return null
  if (!record) return <Skeleton component="li" height={20} width="40%" my={9} radius="xs" />
  return (
    <li>
      <Link to="/collections/$collection/$record" params={params}>
        <span className="recent-list-title">{recordTitle(knownCollection(collection), record)}</span>
        <span className="recent-list-where">{collection.label}</span>
      </Link>
    </li>
  )
}
