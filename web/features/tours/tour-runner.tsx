import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { saveTour } from '#api/system.ts'
import { call } from '#web/data/api/call.ts'
import { toursQuery } from '#web/data/queries/workspace-queries.ts'
import type { PendingTour, TourName } from '#web/data/storage/pending-tour.ts'
import { createTours } from '#web/ui/tour/tour.tsx'
import { pageTours } from './page-tours.ts'
import { type TourProgress, withProgress } from './tour-offers.ts'

const { TourRoot, useTours } = createTours<TourName>(pageTours)

type TourRunnerProps = {
  /** Each request starts a tour. */
  readonly request: PendingTour
}

export function TourRunner(props: TourRunnerProps) {
  const queryClient = useQueryClient()

  function remember(progress: TourProgress) {
    queryClient.setQueryData(
      toursQuery.queryKey,
      (known) => known && { ...known, items: withProgress(known.items, progress) },
    )
    // Failing to store progress isn't reported.
    void call(saveTour, { body: progress }).then(undefined, () => undefined)
  }

  return (
    <TourRoot onProgress={remember} onMissing={warnMissingTarget}>
      <TourStart {...props} />
    </TourRoot>
  )
}

/** Helps developers notice that a tour step's target is missing. */
function warnMissingTarget(tour: TourName, selector: string): void {
  // oxlint-disable-next-line no-console -- developers need to know about a missing target
  console.info(`The tour “${tour}” passed over ${selector}: it is not on the page.`)
}

function TourStart({ request }: TourRunnerProps) {
  const { start, stop } = useTours()
  const { pathname } = useLocation()
  // `start` and `stop` may change while a tour runs, but only a new request or page change may trigger these effects.
  const begin = useEffectEvent(({ tour, from }: PendingTour) => start(tour, from))
  useEffect(() => begin(request), [request])
  const end = useEffectEvent(stop)
  useEffect(() => () => end(), [pathname])
  return null
}
