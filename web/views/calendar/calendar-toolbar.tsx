import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'
import { CALENDAR_PERIODS, type CalendarPeriod } from '#domain/views/dates/periods.ts'
import { t } from '#web/i18n/t.ts'
import { IconChevronLeft, IconChevronRight } from '#web/ui/icons/general.ts'

const PERIOD_LABELS: { readonly [Period in CalendarPeriod]: string } = {
  month: t('Month'),
  week: t('Week'),
  day: t('Day'),
  agenda: t('Agenda'),
}

const STEP_LABELS: { readonly [Period in CalendarPeriod]: readonly [before: string, after: string] } = {
  month: [t('Previous month'), t('Next month')],
  week: [t('Previous week'), t('Next week')],
  day: [t('Previous day'), t('Next day')],
  agenda: [t('Previous month'), t('Next month')],
}

type CalendarToolbarProps = {
  readonly title: string
  readonly period: CalendarPeriod
  readonly isNarrow: boolean
  readonly onPeriod: (period: CalendarPeriod) => void
  readonly onToday: () => void
  readonly onStep: (by: 1 | -1) => void
  readonly children: ReactNode
}

export function CalendarToolbar(props: CalendarToolbarProps) {
  const { title, period, isNarrow, onPeriod, onToday, onStep, children } = props
  const [before, after] = STEP_LABELS[period]
  return (
    <div className="dates-toolbar" role="group" aria-label={t('Calendar')}>
      <Button size="xs" onClick={onToday}>
        {t('Today')}
      </Button>
      <div className="dates-steps">
        <ActionIcon size="sm" aria-label={before} title={before} onClick={() => onStep(-1)}>
          <IconChevronLeft className="dates-chevron" size={18} stroke={1.5} aria-hidden />
        </ActionIcon>
        <ActionIcon size="sm" aria-label={after} title={after} onClick={() => onStep(1)}>
          <IconChevronRight className="dates-chevron" size={18} stroke={1.5} aria-hidden />
        </ActionIcon>
      </div>
      <h2 className="dates-title" aria-live="polite">
        {title}
      </h2>
      {children}
      <SegmentedControl
        size="xs"
        aria-label={t('Period')}
        data={(isNarrow ? (['agenda', 'day'] as const) : CALENDAR_PERIODS).map((value) => ({
          value,
          label: PERIOD_LABELS[value],
        }))}
        value={period}
        onChange={onPeriod}
      />
    </div>
  )
}
