import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { saveTour } from '#api/system.ts'
import { call } from '#web/client/call.ts'
import { createTours, type TourProgress } from '#web/kit/tour/tour.tsx'
import { firstSteps, type TourPage } from './first-steps.ts'
import { tourStop } from './tour-stop.ts'
import { toursQuery } from './tours-query.ts'

const { TourRoot, useTours } = createTours({ 'first-steps': firstSteps })

type TourStageProps = {
  /** Offers the tour to somebody who has not met it. */
  readonly isOffered: boolean
  /** How often it was asked for; each time it begins. */
  readonly asked: number
}

/** Where tours are shown. It is fetched only for those who see one. */
export function TourStage(props: TourStageProps) {
  const queryClient = useQueryClient()
  const { history } = useRouter()

  async function navigate(page: string) {
    // The registry's routes are pages of the tour, whose addresses depend on what the workspace holds.
    const path = await tourStop(page as TourPage, queryClient)
    if (history.location.pathname !== path) history.push(path)
  }

  function remember(progress: TourProgress<'first-steps'>) {
    queryClient.setQueryData(toursQuery.queryKey, (known = []) => [
      ...known.filter(({ tour }) => tour !== progress.tour),
      progress,
    ])
    // A tour that could not be remembered is offered once more, which is no reason to disturb anybody.
    void call(saveTour, { body: progress }).then(undefined, () => undefined)
  }

  return (
    <TourRoot navigate={navigate} onProgress={remember}>
      <TourBeginning {...props} />
    </TourRoot>
  )
}

/** Before anything points at a page it has settled: something that moves under a pointer is no welcome. */
const SETTLE_MS = 600

function TourBeginning({ isOffered, asked }: TourStageProps) {
  const { offer, start } = useTours()

  useEffect(() => {
    if (!isOffered) return
    const timer = setTimeout(() => offer('first-steps'), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [isOffered, offer])

  // The controls are new whenever a tour begins or ends; only somebody's asking may begin one.
  const begin = useEffectEvent(() => start('first-steps'))
  useEffect(() => {
    if (asked > 0) begin()
  }, [asked])

  return null
}
