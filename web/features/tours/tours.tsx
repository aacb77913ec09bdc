import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { OWNER } from '#domain/access/role.ts'
import { readKept } from '#web/client/browser-storage.ts'
import { collectionsQuery, recordCountQuery } from '#web/client/collections-query.ts'
import { sessionConfig } from '#web/client/session-config.ts'
import { onTourAsked, type TourWish } from '#web/client/tour-wish.ts'
import { useUser } from '#web/client/use-session.ts'
import { later, useLater } from '#web/kit/later.ts'
import { mostTelling } from './tour-stop.ts'
import { FIRST_STEPS, FOR_OWNERS, type Offer } from './tour-version.ts'
import { toursQuery } from './tours-query.ts'

const stage = later(() => import('./tour-stage.tsx'))

/** Set to `off` in this browser's storage, no tour is offered: for tests of something else. */
const SILENCE_KEY = 'tours'

/** The tours of the app: offered once, shown again when asked for, remembered on the server. */
export function Tours() {
  const { pathname } = useLocation()
  const [wish, setWish] = useState<TourWish>()
  useEffect(() => onTourAsked(setWish), [])

  const due = useDueTour()
  const hasRecords = useHasRecords(due !== undefined)
  const offer = pathname === sessionConfig.routes.home && hasRecords ? due : undefined
  // Once it was there it stays: a tour goes from page to page.
  const [isThere, setIsThere] = useState(false)
  if ((offer || wish) && !isThere) setIsThere(true)

  return isThere ? <Stage offer={offer} wish={wish} /> : null
}

type StageProps = { readonly offer: Offer | undefined; readonly wish: TourWish | undefined }

/** Its own component, so that whoever is offered no tour does not fetch one. */
function Stage(props: StageProps) {
  const { TourStage } = useLater(stage, true) ?? {}
  return TourStage ? <TourStage {...props} /> : null
}

/** The tour that is to be offered next: the welcome, and at another visit what is for owners. */
function useDueTour(): Offer | undefined {
  const { data: known } = useQuery(toursQuery)
  const isOwner = useUser()?.roles.some(({ id }) => id === OWNER) === true
  if (!known || readKept(SILENCE_KEY) === 'off') return undefined
  const isMet = (offer: Offer) => known.some(({ tour, version }) => tour === offer.tour && version >= offer.version)
  if (!isMet(FIRST_STEPS)) return FIRST_STEPS
  return isOwner && !isMet(FOR_OWNERS) ? FOR_OWNERS : undefined
}

/** A tour of an empty workspace would point at nothing; it is offered once there is a record to show. */
function useHasRecords(isAsked: boolean): boolean {
  const { data: collections = [] } = useQuery({ ...collectionsQuery, enabled: isAsked })
  const shown = mostTelling(collections)
  const { data: count } = useQuery({ ...recordCountQuery(shown?.name ?? ''), enabled: isAsked && shown !== undefined })
  return (count?.total ?? 0) > 0
}
