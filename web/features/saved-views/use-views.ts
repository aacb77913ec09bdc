import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ViewBody } from '#api/views.ts'
import { removeStored, setStored, readStored } from '#web/data/storage/browser-storage.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { viewsQuery } from '#web/data/queries/collections-query.ts'

/** URL value for “no view”, needed by users whose first view opens by default. */
export const NO_VIEW = 'all'

export type ViewsState = {
  /** Undefined until loaded. */
  readonly views: readonly ViewBody[] | undefined
  readonly view: ViewBody | undefined
  /** `gone`: deleted or not visible. */
  readonly is: 'known' | 'waiting' | 'gone' | 'failed'
  readonly error: Error | null
  readonly retry: () => void
}

/** The active view; if the URL doesn't name one, the user's first view. */
export function useViews(collection: TypedCollection): ViewsState {
  const { view: named = '', ...rest } = useSearch({ strict: false })
  const { data: views, error, refetch } = useQuery(viewsQuery(collection.id))
  const isBare = named === '' && Object.values(rest).every((part) => part === undefined)
  const isArriving = useFirstView(collection, { views, isBare, isFailed: error !== null })
  const id = named === NO_VIEW ? '' : named
  const view = views?.find((each) => each.id === id)
  const isMissing = id !== '' && view === undefined
  const isSought = useSeekOnce(isMissing && views ? id : '', refetch)
  const is = isArriving || isSought ? 'waiting' : isMissing ? missingState(views, error) : 'known'
  return { views, view, is, error, retry: () => void refetch() }
}

function missingState(views: ViewsState['views'], error: Error | null): ViewsState['is'] {
  if (views) return 'gone'
  return error ? 'failed' : 'waiting'
}

/** Refetches the views once if the requested one is unknown, because it may have just been shared; true until then. */
function useSeekOnce(id: string, refetch: () => Promise<unknown>): boolean {
  const [sought, setSought] = useState('')
  const isDue = id !== '' && sought !== id
  useEffect(() => {
    if (!isDue) return
    void refetch().then(() => setSought(id))
  }, [isDue, id, refetch])
  return isDue
}

type Arrival = {
  readonly views: readonly ViewBody[] | undefined
  readonly isBare: boolean
  readonly isFailed: boolean
}

/** Opens the user's first view if the URL doesn't name one; true until it is open. */
function useFirstView({ id, name }: TypedCollection, { views, isBare, isFailed }: Arrival): boolean {
  const navigate = useNavigate()
  const [isArriving, setArriving] = useState(isBare)
  const first = views?.find(({ isDefault }) => isDefault)?.id
  const key = `views.first.${id}`

  useEffect(() => {
    if (!views) return
    // Cached, so that the next visit knows whether to wait for the views.
    if (first === undefined) removeStored(key)
    else setStored(key, first)
    if (!isArriving) return
    // Hides the unfiltered list until the view is in the URL.
    if (first === undefined || !isBare) return setArriving(false)
    void navigate({
      to: '/collections/$collection',
      params: { collection: name },
      search: { view: first },
      replace: true,
    })
  }, [views, first, key, isArriving, isBare, navigate, name])

  if (!isArriving || !isBare || isFailed) return false
  return views ? first !== undefined : readStored(key) !== null
}
