import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useLocation } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { readKept } from '#web/client/browser-storage.ts'
import { collectionsQuery, recordCountQuery } from '#web/client/collections-query.ts'
import { onTourAsked } from '#web/client/tour-wish.ts'
import { mostTelling } from './tour-stop.ts'
import { FIRST_STEPS_VERSION } from './tour-version.ts'
import { toursQuery } from './tours-query.ts'

const TourStage = lazyRouteComponent(() => import('./tour-stage.tsx'), 'TourStage')

/** Set to `off` in this browser's storage, no tour is offered: for tests of something else. */
const SILENCE_KEY = 'tours'

/** The tours of the app: offered to a newcomer once, shown again when asked for, remembered on the server. */
export function Tours() {
  const { pathname } = useLocation()
  const { data: known } = useQuery(toursQuery)
  const [asked, setAsked] = useState(0)
  useEffect(() => onTourAsked(() => setAsked((times) => times + 1)), [])

  const isMet = known?.some(({ tour, version }) => tour === 'first-steps' && version >= FIRST_STEPS_VERSION)
  const isNew = isMet === false && readKept(SILENCE_KEY) !== 'off'
  const hasRecords = useHasRecords(isNew)
  const isOffered = isNew && pathname === '/' && hasRecords
  // Once it was there it stays: a tour goes from page to page.
  const [isThere, setIsThere] = useState(false)
  const isWanted = isOffered || asked > 0
  if (isWanted && !isThere) setIsThere(true)

  if (!isThere) return null
  return (
    <Suspense>
      <TourStage isOffered={isOffered} asked={asked} />
    </Suspense>
  )
}

/** A tour of an empty workspace would point at nothing; it is offered once there is a record to show. */
function useHasRecords(isAsked: boolean): boolean {
  const { data: collections = [] } = useQuery({ ...collectionsQuery, enabled: isAsked })
  const shown = mostTelling(collections)
  const { data: count } = useQuery({ ...recordCountQuery(shown?.name ?? ''), enabled: isAsked && shown !== undefined })
  return (count?.total ?? 0) > 0
}
