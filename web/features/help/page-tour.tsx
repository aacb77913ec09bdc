import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listTours } from '#api/system.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import { requestTour, type TourName } from '#web/data/storage/pending-tour.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { IconRoute } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'

type PageTourProps = { readonly tour: TourName; readonly onBegin: () => void }

/** The tours one can take from here: that of the page, and those that were offered; each goes on where it was left. */
export function PageTour({ tour, onBegin }: PageTourProps) {
  const user = useUser()
  const isOwner = user?.roles.some(({ id }) => id === 'owner') === true
  // What one has seen is kept with one's own account.
  if (user?.view_as?.is_on === true) return null
  return (
    <div className="help-tours">
      <TourButtons tour={tour} words={t('Take the tour of this page')} onBegin={onBegin} />
      <TourButtons tour="first-steps" words={t('Welcome tour')} onBegin={onBegin} />
      {isOwner && <TourButtons tour="owner" words={t('Owner tour')} onBegin={onBegin} />}
    </div>
  )
}

type TourButtonsProps = PageTourProps & { readonly words: string }

function TourButtons({ tour, words, onBegin }: TourButtonsProps) {
  const { data: known } = useQuery({
    queryKey: queryKeys.tours,
    queryFn: async ({ signal }) => (await call(listTours, { signal })).items,
  })
  const left = known?.find((one) => one.tour === tour && one.state === 'dismissed' && one.step > 0)
  const begin = (from: number) => {
    onBegin()
    requestTour(tour, from)
  }
  return (
    <div>
      <Button size="xs" leftSection={<IconRoute size={14} stroke={1.5} aria-hidden />} onClick={() => begin(0)}>
        {words}
      </Button>
      {left && (
        <Button size="xs" variant="subtle" onClick={() => begin(left.step)}>
          {t('Resume at step {step}', { step: left.step + 1 })}
        </Button>
      )}
    </div>
  )
}
