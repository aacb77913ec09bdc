import { Button } from '@mantine/core'
import { dayText } from '#domain/views/dates/date-span.ts'
import { t } from '#web/i18n/t.ts'
import { dayLabel } from '../dates/date-texts.ts'
import { datedRecord } from '../dates/dated-records.ts'
import { rowOf } from '../dates/use-dated-records.ts'
import { type CalendarScene, queryOf, useNearestRecords } from './use-calendar-records.ts'

/** Leads from a period without records to the last ones before it and the first ones after it. */
export function NearestRecords({ scene }: { readonly scene: CalendarScene }) {
  const { collection, fields, go } = scene
  const { before, after } = useNearestRecords(queryOf(scene))
  const [earlier, later] = [before, after].map((record) =>
    record ? datedRecord(collection, fields, rowOf(record))?.first : undefined,
  )
  const label = (day: number) => dayLabel(day, { day: 'numeric', month: 'long', year: 'numeric' })
  const goTo = (day: number) => {
    const text = dayText(day)
    if (text !== undefined) go(text)
  }
  if (earlier === undefined && later === undefined) return null
  return (
    <div className="calendar-nearest">
      {earlier !== undefined && (
        <Button size="xs" onClick={() => goTo(earlier)}>
          {t('Earlier records: {date}', { date: label(earlier) })}
        </Button>
      )}
      {later !== undefined && (
        <Button size="xs" onClick={() => goTo(later)}>
          {t('Later records: {date}', { date: label(later) })}
        </Button>
      )}
    </div>
  )
}
