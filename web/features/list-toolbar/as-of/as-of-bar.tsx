import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ListQuery } from '#web/features/list-toolbar/url/list-query-params.ts'
import type { QueryChange } from '#web/features/list-toolbar/url/use-list-query.ts'
import { t } from '#web/i18n/t.ts'
import { instantOfLocal, localOfInstant } from '#web/shared/formatting/format-value.ts'
import { IconCalendarClock } from '#web/ui/icons/general.ts'
import { withCondition } from '#web/views/listing/summaries/summary-requests.ts'
import './as-of-bar.css'

const DAY_MS = 24 * 60 * 60 * 1000

/** The same minute of the previous day. */
export const yesterday = (): string => new Date(Math.floor((Date.now() - DAY_MS) / 60_000) * 60_000).toISOString()

type AsOfBarProps = {
  readonly query: ListQuery
  readonly change: (part: QueryChange) => void
  /** Whether some fields can’t be shown. */
  readonly isPartial: boolean
}

/** Shown above a list of an earlier time: chooses the time, and leads back. */
export function AsOfBar({ query: { asOf, filter }, change, isPartial }: AsOfBarProps) {
  const shown = localOfInstant(asOf ?? '')
  const [typed, setTyped] = useState<string>()
  // Applied on blur, because a partly typed year is also valid.
  const apply = () => {
    const time = typed === undefined ? null : instantOfLocal(typed)
    setTyped(undefined)
    if (time !== null && time !== asOf) change({ asOf: time < new Date().toISOString() ? time : yesterday() })
  }
  const showChanges = () =>
    change({
      asOf: null,
      filter: withCondition(filter, `updatedAt > "${asOf ?? ''}"`),
      sort: [{ field: 'updatedAt', direction: 'desc' }],
    })
  return (
    <div className="as-of-bar" role="group" aria-label={t('Earlier time')}>
      <IconCalendarClock size={18} stroke={1.5} aria-hidden />
      <TextInput
        size="xs"
        type="datetime-local"
        aria-label={t('Records as of')}
        max={localOfInstant(new Date().toISOString()).slice(0, 16)}
        value={typed ?? shown}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={apply}
        onKeyDown={({ key }) => key === 'Enter' && apply()}
      />
      <p role="status">
        {t('You’re viewing an earlier time. Read-only.')}
        {isPartial &&
          ` ${t('Values of linked records are known only for now, so lookups, counts and rollups are left out.')}`}
      </p>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={showChanges}>
        {t('Show what changed since')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => change({ asOf: null })}>
        {t('Back to now')}
      </Button>
    </div>
  )
}
