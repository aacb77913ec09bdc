import { Button } from '@mantine/core'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { t } from '#web/i18n/t.ts'
import { countSkipped, type SkippedRecords } from '#web/shared/bulk-operations/user-jobs.ts'
import { useShowSkipped } from '#web/shared/bulk-operations/show-records.ts'
import './bulk.css'

type SkippedNoticeProps = {
  readonly collection: TypedCollection
  readonly refusals: readonly SkippedRecords[]
  readonly isBusy: boolean
  readonly onLeave: () => void
}

export function SkippedNotice({ collection, refusals, isBusy, onLeave }: SkippedNoticeProps) {
  const showRefused = useShowSkipped()
  const count = countSkipped(refusals)
  return (
    <div role="alert" className="bulk-refused">
      <strong>{t('Nothing was changed.')}</strong>
      <SkippedList refusals={refusals} />
      <div className="bulk-refused-ways">
        <Button size="xs" onClick={() => showRefused(collection.name, refusals)}>
          {count === 1 ? t('Show it') : t('Show them')}
        </Button>
        <Button size="xs" loading={isBusy} onClick={onLeave}>
          {t('Update the others')}
        </Button>
      </div>
    </div>
  )
}

export function SkippedList({ refusals }: { readonly refusals: readonly SkippedRecords[] }) {
  return (
    <ul className="bulk-reasons">
      {refusals.map(({ message, count }) => (
        <li key={message}>
          <span className="bulk-reason-count">{t('{count} failed:', { count })}</span> {message}
        </li>
      ))}
    </ul>
  )
}
