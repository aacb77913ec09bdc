import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ViewBody } from '#api/views.ts'
import { removeStored, setStored, readStored } from '#web/data/storage/browser-storage.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { viewsQuery } from '#web/data/queries/views-query.ts'

/** Stands in an address in place of a view where none is in force, for those to whom one opens first. */
export const NO_VIEW = 'all'

/** Which view the address names, as far as it is known. */
export type ViewsState = {
  /** The views there are; undefined until they are read. */
  readonly views: readonly ViewBody[] | undefined
  readonly view: ViewBody | undefined
  /** `waiting`: not known yet; `gone`: there is none of that name for whoever asks; `failed`: it could not be asked. */
  readonly is: 'known' | 'waiting' | 'gone' | 'failed'
  readonly error: Error | null
  readonly retry: () => void
}

/** The views of a collection, and the one in force; whoever comes without a word sees the one that opens first. */
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

/** A view that is not among those known may have been shared a moment ago: it is asked for once more. True until then. */
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

/** Goes to the view that opens first, when the page is come to by an address that names nothing; true on the way. */
function useFirstView({ id, name }: TypedCollection, { views, isBare, isFailed }: Arrival): boolean {
  const navigate = useNavigate()
  const [isArriving, setArriving] = useState(isBare)
  const first = views?.find(({ isDefault }) => isDefault)?.id
  const key = `views.first.${id}`

  useEffect(() => {
    if (!views) return
    // Told again by the server each time; kept to know at the next arrival that it is worth waiting for.
    if (first === undefined) removeStored(key)
    else setStored(key, first)
    if (!isArriving) return
    // On the way until the address names the view: the list without it would be seen for a moment.
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
