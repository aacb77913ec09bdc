import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { OWNER } from '#domain/access/policy.ts'
import { readStored } from '#web/data/storage/browser-storage.ts'
import { collectionsQuery, recordCountQuery } from '#web/data/queries/collections-query.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { type PendingTour, tourRequests } from '#web/data/storage/pending-tour.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { richestCollection } from './tour-stop.ts'
import { OWNER_TOUR, type TourOffer, toursQuery, WELCOME_TOUR } from './tour-offers.ts'

const runner = lazyModule(() => import('./tour-runner.tsx'))

/** `off` in storage disables tours, for tests. */
const DISABLED_KEY = 'tours'

export function Tours() {
  const { pathname } = useLocation()
  const [request, setPending] = useState<PendingTour>()
  useEffect(() => tourRequests.subscribe(setPending), [])

  const due = useOfferedTour()
  const hasRecords = useHasRecords(due !== undefined)
  const offer = pathname === sessionConfig.routes.home && hasRecords ? due : undefined
  // Stays mounted, because a tour spans pages.
  const [isThere, setIsThere] = useState(false)
  if ((offer || request) && !isThere) setIsThere(true)

  return isThere ? <Runner offer={offer} request={request} /> : null
}

type RunnerProps = { readonly offer: TourOffer | undefined; readonly request: PendingTour | undefined }

/** Separate component, so that the tour code loads only when needed. */
function Runner(props: RunnerProps) {
  const { TourRunner } = useLazyModule(runner, true) ?? {}
  return TourRunner ? <TourRunner {...props} /> : null
}

/** The welcome tour, then the owner tour at a later visit. */
function useOfferedTour(): TourOffer | undefined {
  const { data: known } = useQuery(toursQuery)
  const isOwner = useUser()?.roles.some(({ id }) => id === OWNER) === true
  if (!known || readStored(DISABLED_KEY) === 'off') return undefined
  const isMet = (offer: TourOffer) => known.some(({ tour, version }) => tour === offer.tour && version >= offer.version)
  if (!isMet(WELCOME_TOUR)) return WELCOME_TOUR
  return isOwner && !isMet(OWNER_TOUR) ? OWNER_TOUR : undefined
}

/** Tours need records to point at. */
function useHasRecords(isRequested: boolean): boolean {
  const { data: collections = [] } = useQuery({ ...collectionsQuery, enabled: isRequested })
  const shown = richestCollection(collections)
  const { data: count } = useQuery({
    ...recordCountQuery(shown?.name ?? ''),
    enabled: isRequested && shown !== undefined,
  })
  return (count?.total ?? 0) > 0
}
