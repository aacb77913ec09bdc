import { useState } from 'react'
import { MAX_AT_ONCE } from '#api/bulk.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { ConfirmByTyping, ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx'
import { plural, t } from '#web/i18n/t.ts'
import type { DeletionRequest } from './delete-selected.tsx'
import { records } from '#web/shared/bulk-operations/user-jobs.ts'
import { outOfViewText } from '#web/shared/bulk-operations/selected-records.ts'

type ConfirmDeletionProps = {
  readonly collection: TypedCollection
  readonly requested: DeletionRequest
  readonly outOfView: number
  readonly mustType: boolean
  readonly onConfirm: () => Promise<void>
  readonly onClose: () => void
}

/**
 * Asks for confirmation before deleting many or hidden records. Above a limit, the user must type the number of
 * records.
 */
export function ConfirmDeletion(props: ConfirmDeletionProps) {
  const { requested, mustType, onConfirm, onClose } = props
  const [isBusy, setBusy] = useState(false)
  const title = t('Delete {records}', { records: records(requested.count) })
  const dialog = { isOpen: true, onClose, title, actionLabel: title, children: <Consequences {...props} /> }
  // If the count changes, the number must be typed again.
  if (mustType) {
    return (
      <ConfirmByTyping
        {...dialog}
        key={requested.count}
        name={String(requested.count)}
        isNumber
        onConfirm={onConfirm}
      />
    )
  }
  const confirm = () => {
    setBusy(true)
    void onConfirm().finally(() => setBusy(false))
  }
  return <ConfirmDialog {...dialog} isBusy={isBusy} onConfirm={confirm} />
}

function Consequences({ collection, requested, outOfView }: ConfirmDeletionProps) {
  const { count, selected = count, hasChanged } = requested
  const staying = selected - count
  return (
    <>
      {hasChanged && (
        <p role="alert">
          <strong>{t('The number of records has changed. Nothing has been deleted yet.')}</strong>
        </p>
      )}
      <p>
        {t('{records} in {label} will be deleted, and links to them removed.', {
          records: records(count),
          label: collection.label,
        })}
      </p>
      {outOfView > 0 && <p>{outOfViewText(outOfView)}</p>}
      {staying > 0 && (
        <p>
          {plural(
            staying,
            '{n} selected record won’t be deleted: you don’t have permission.',
            '{n} selected records won’t be deleted: you don’t have permission.',
          )}
        </p>
      )}
      <p>
        {count > MAX_AT_ONCE
          ? t('Records are deleted in batches. You can stop at any time, and restore the records from the trash.')
          : t('Deleted records can be restored from the trash.')}
      </p>
    </>
  )
}
