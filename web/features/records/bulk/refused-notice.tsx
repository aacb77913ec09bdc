import { Button } from '@mantine/core'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { plural, t } from '#web/language/t.ts'
import { countRefused, type Refusal } from './own-jobs.ts'
import { useShowRefused } from './shown-records.ts'
import './bulk.css'

type RefusedNoticeProps = {
  readonly collection: KnownCollection
  readonly refusals: readonly Refusal[]
  readonly isBusy: boolean
  /** Changes the others. */
  readonly onLeave: () => void
}

/** Which records stand in the way and why, with the way to them, and to the others. */
export function RefusedNotice({ collection, refusals, isBusy, onLeave }: RefusedNoticeProps) {
  const showRefused = useShowRefused()
  const count = countRefused(refusals)
  return (
    <div role="alert" className="bulk-refused">
      <strong>{t('Nothing was changed.')}</strong>
      <RefusalList refusals={refusals} />
      <div className="bulk-refused-ways">
        <Button size="xs" onClick={() => showRefused(collection.name, refusals)}>
          {plural(count, 'Show it', 'Show them')}
        </Button>
        <Button size="xs" loading={isBusy} onClick={onLeave}>
          {t('Change the others')}
        </Button>
      </div>
    </div>
  )
}

/** Reasons with the number of records each is about. */
export function RefusalList({ refusals }: { readonly refusals: readonly Refusal[] }) {
  return (
    <ul className="bulk-reasons">
      {refusals.map(({ message, count }) => (
        <li key={message}>
          <span className="bulk-reason-count">{t('{count} refused:', { count })}</span> {message}
        </li>
      ))}
    </ul>
  )
}
