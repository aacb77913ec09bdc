import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { recordByIdQuery } from '#web/shared/lookups/use-record-by-id.ts'
import { recentlyOpened } from '#web/features/home/recent-list.tsx'
import { toDoQuery } from '#web/features/home/to-do-list.tsx'
import { draftsQuery } from '#web/features/home/draft-list.tsx'

/**
 * Whether everything on the home page that is somebody's own came or failed once. How much room it takes is not known
 * before, and whatever was drawn below it would be moved. What failed is asked for again by what is shown then, and must
 * not hide it for that.
 */
export function useHomeLoaded(collections: readonly CollectionBody[]): boolean {
  const userId = useUser()?.id ?? ''
  const recent = recentlyOpened(userId, collections)
  const settled = [
    useQueries({ queries: [toDoQuery(collections)], combine: areLoaded }),
    useQueries({ queries: [draftsQuery(userId)], combine: areLoaded }),
    useQueries({
      queries: recent.map(({ one, collection }) => recordByIdQuery(collection, one.record)),
      combine: areLoaded,
    }),
  ]
  const [wasSettled, setWasSettled] = useState(false)
  const isSettled = wasSettled || settled.every(Boolean)
  if (isSettled !== wasSettled) setWasSettled(isSettled)
  return isSettled
}

type Asked = { readonly data?: unknown; readonly failureCount: number; readonly isEnabled: boolean }

/** What failed once may come yet; nobody waits for it. */
const areLoaded = (asked: readonly Asked[]): boolean =>
  asked.every(({ data, failureCount, isEnabled }) => !isEnabled || data !== undefined || failureCount > 0)
