import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { listTours, saveTour } from '#api/system.ts'
import { readKept } from '#web/client/browser-storage.ts'
import { call } from '#web/client/call.ts'
import { collectionsQuery } from '#web/client/collections-query.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { onTourAsked } from '#web/client/tour-wish.ts'
import { createTours, type TourProgress } from '#web/kit/tour/tour.tsx'
import { firstSteps, type TourPage } from './first-steps.ts'
import { tourStop } from './tour-stop.ts'

const REGISTRY = { 'first-steps': firstSteps } as const

type TourName = keyof typeof REGISTRY

const { TourRoot, useTours } = createTours<TourName>(REGISTRY)

/** Set to `off` in this browser's storage, no tour begins: for tests of something else. */
const SILENCE_KEY = 'tours'

const toursQuery = queryOptions({
  queryKey: queryKeys.tours,
  queryFn: async ({ signal }) => (await call(listTours, { signal })).items,
  staleTime: Number.POSITIVE_INFINITY,
})

/** The tours of the app: offered to a newcomer once, shown again when asked for, remembered on the server. */
export function Tours({ children }: { readonly children: ReactNode }) {
  const queryClient = useQueryClient()
  const { history } = useRouter()

  async function navigate(page: string) {
    // The registry's routes are pages of the tour, whose addresses depend on what the workspace holds.
    const path = await tourStop(page as TourPage, queryClient)
    if (history.location.pathname !== path) history.push(path)
  }

  const remember = (progress: TourProgress<TourName>) => {
    queryClient.setQueryData(toursQuery.queryKey, (known = []) => [
      ...known.filter(({ tour }) => tour !== progress.tour),
      progress,
    ])
    // A tour that could not be remembered is offered once more, which is no reason to disturb anybody.
    void call(saveTour, { body: progress }).then(undefined, () => undefined)
  }

  return (
    <TourRoot navigate={navigate} onProgress={remember} isSilenced={readKept(SILENCE_KEY) === 'off'}>
      {children}
      <TourOffer />
    </TourRoot>
  )
}

/** Offers the welcome tour to whoever has not met it, and shows it to whoever asks. */
function TourOffer() {
  const { offer, start } = useTours()
  const { pathname } = useLocation()
  const { data: known } = useQuery(toursQuery)
  const { data: collections = [] } = useQuery(collectionsQuery)
  const isNew =
    known !== undefined && !known.some(({ tour, version }) => tour === 'first-steps' && version >= firstSteps.version)
  const isOffered = isNew && pathname === '/' && collections.length > 0

  useEffect(() => {
    if (!isOffered) return
    // Once the page has settled: something that moves under a pointer is no welcome.
    const timer = setTimeout(() => offer('first-steps'), 600)
    return () => clearTimeout(timer)
  }, [isOffered, offer])

  useEffect(() => onTourAsked(() => start('first-steps')), [start])
  return null
}
