import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { saveTour } from '#api/system.ts'
import { OWNER } from '#domain/access/policy.ts'
import { call } from '#web/data/api/call.ts'
import { toursQuery } from '#web/data/queries/workspace-queries.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { readStored } from '#web/data/storage/browser-storage.ts'
import { type PendingTour, requestTour, tourRequests } from '#web/data/storage/pending-tour.ts'
import { t } from '#web/i18n/t.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { tourToOffer, withProgress } from './tour-offers.ts'

const runner = lazyModule(() => import('./tour-runner.tsx'))

/** Tests set this storage key to `off` to hide the tour offer. */
const DISABLED_KEY = 'tours'

/** Runs requested tours; the code is loaded on the first request. */
export function Tours() {
  const [request, setRequest] = useState<PendingTour>()
  useEffect(() => tourRequests.subscribe(setRequest), [])
  const { TourRunner } = useLazyModule(runner, request !== undefined) ?? {}
  return request && TourRunner ? <TourRunner request={request} /> : null
}

/** Offers a tour on the home page until the user accepts or declines. */
export function TourCard() {
  const queryClient = useQueryClient()
  const user = useUser()
  // Tours are hidden during impersonation, because their progress is stored in the user's account.
  const { data } = useQuery({ ...toursQuery, enabled: user?.view_as?.is_on !== true })
  const isFitting = data?.isOn === true && readStored(DISABLED_KEY) !== 'off'
  const isOwner = user?.roles.some(({ id }) => id === OWNER) === true
  const offer = isFitting ? tourToOffer(data.items, isOwner) : undefined
  const [started, setStarted] = useState<string>()
  if (!offer || started === offer.tour) return null
  const begin = () => {
    setStarted(offer.tour)
    requestTour(offer.tour, offer.step)
  }
  const decline = () => {
    const progress = { tour: offer.tour, version: offer.version, state: 'dismissed', step: offer.step } as const
    queryClient.setQueryData(
      toursQuery.queryKey,
      (known) => known && { ...known, items: withProgress(known.items, progress) },
    )
    // If this request fails, the tour is offered again, which is harmless.
    void call(saveTour, { body: progress }).then(undefined, () => undefined)
  }
  return (
    <Notice
      title={offer.isForOwners ? t('Set up your workspace') : t('New here?')}
      detail={
        offer.isForOwners
          ? t('A short tour shows where to create collections, invite people and change settings.')
          : t('Take a quick tour of this page. Help has a tour of every page.')
      }
      actions={
        <>
          <Button size="xs" variant="filled" onClick={begin}>
            {offer.step > 0 ? t('Resume at step {step}', { step: offer.step + 1 }) : t('Start tour')}
          </Button>
          <Button size="xs" variant="subtle" onClick={decline}>
            {t('No thanks')}
          </Button>
        </>
      }
    />
  )
}
