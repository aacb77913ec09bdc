import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { offerTour, saveTour } from '#api/system.ts'
import { call } from '#web/data/api/call.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'
import type { PendingTour, TourName } from '#web/data/storage/pending-tour.ts'
import { notify } from '#web/ui/toast/notify.ts'
import type { TourDefinition } from '#web/ui/tour/tour-machine.ts'
import { createTours, findVisible, type TourProgress } from '#web/ui/tour/tour.tsx'
import { t } from '#web/i18n/t.ts'
import { targetSelector } from './tour-steps.ts'
import { type TourPage, tourStop } from './tour-stop.ts'
import { type TourOffer, toursQuery } from './tour-offers.ts'
import { ownerTour, welcomeTour } from './welcome-tours.ts'
import { pageTours } from './page-tours.ts'

const TOURS: { readonly [Name in TourName]: TourDefinition } = {
  'first-steps': welcomeTour,
  owner: ownerTour,
  ...pageTours,
}

const { TourRoot, useTours } = createTours<TourName>(TOURS)

type TourRunnerProps = {
  /** Offered unless seen in another tab or browser. */
  readonly offer: TourOffer | undefined
  /** Requested by the user; each request starts a tour. */
  readonly request: PendingTour | undefined
}

export function TourRunner(props: TourRunnerProps) {
  const queryClient = useQueryClient()
  const { history } = useRouter()

  async function navigate(page: string) {
    // Tour pages of the registry; their URLs depend on the workspace.
    const path = await tourStop(page as TourPage, queryClient)
    if (history.location.pathname !== path) history.push(path)
  }

  function remember(progress: TourProgress<TourName>) {
    queryClient.setQueryData(toursQuery.queryKey, (known = []) => [
      ...known.filter(({ tour }) => tour !== progress.tour),
      progress,
    ])
    // A failure to store progress isn't shown.
    void call(saveTour, { body: progress }).then(undefined, () => undefined)
  }

  return (
    <TourRoot navigate={navigate} onProgress={remember} onMissing={warnMissingTarget}>
      <TourBeginning {...props} />
    </TourRoot>
  )
}

/** For developers: a missing target of a tour. */
function warnMissingTarget(tour: TourName, selector: string): void {
  // oxlint-disable-next-line no-console -- developers need to know about a missing target
  console.info(`The tour “${tour}” passed over ${selector}: it is not on the page.`)
}

const beginsAtHome = ({ steps }: TourDefinition): boolean => steps[0].route === ('home' satisfies TourPage)

/** Waits until the page has settled. */
const SETTLE_MS = 600

function TourBeginning({ offer, request }: TourRunnerProps) {
  const { start, showHere, running } = useTours()
  const queryClient = useQueryClient()
  const { history } = useRouter()
  const wasOffered = useRef(false)

  /** A tour of another page is only suggested, never opened. */
  const suggest = (tour: TourName) => {
    if (beginsAtHome(TOURS[tour]) && history.location.pathname === sessionConfig.routes.home && showHere(tour)) return
    notify.info(tour === 'owner' ? t('Take the owner tour.') : t('Take a tour of Dossier.'), {
      action: { label: t('Start tour'), run: () => start(tour) },
      decline: t('Not now'),
    })
  }
  const offerNow = useEffectEvent(async ({ tour, version }: TourOffer) => {
    if (running !== undefined || wasOffered.current || !findVisible(targetSelector('collections'))) return
    wasOffered.current = true
    const { mayShow } = await call(offerTour, { params: { tour }, body: { version } })
    if (mayShow) suggest(tour)
    else await queryClient.invalidateQueries({ queryKey: toursQuery.queryKey })
  })
  useEffect(() => {
    if (!offer) return undefined
    const timer = setTimeout(() => void offerNow(offer).then(undefined, () => undefined), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [offer])

  // Controls change when a tour starts or ends; only a request starts one.
  const begin = useEffectEvent(({ tour, from }: PendingTour) => start(tour, from))
  useEffect(() => {
    if (request) begin(request)
  }, [request])

  return null
}
