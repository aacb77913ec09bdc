import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { countBulk } from '#api/bulk.ts'
import { call } from '#web/data/api/call.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { IconTrash } from '#web/ui/icons/general.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import {
  type BulkBody,
  type SelectedRecords,
  countOfSelected,
  whereOf,
} from '#web/shared/bulk-operations/selected-records.ts'
import { deleteWithUndo } from '#web/shared/bulk-operations/delete-records.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'

type DeleteSelectedProps = {
  readonly collection: TypedCollection
  readonly picked: SelectedRecords
  /** The number of selected records that the list's filter hides. */
  readonly outOfView: number
  readonly onGone: () => void
}

/** The records to delete; the server counts only those that the user may delete. */
export type DeletionRequest = {
  readonly where: BulkBody['where']
  readonly count: number
  /** The number of selected records; undefined if unknown. */
  readonly selected: number | undefined
  /** False for a few selected IDs, which don't need to be counted by the server. */
  readonly isCounted: boolean
  /** Whether the number has changed since the user confirmed it. */
  readonly hasChanged: boolean
}

/** Number of records above which the user must type the count. */
const MAX_WITHOUT_CONFIRMATION = 100

const dialog = lazyModule(() => import('./confirm-deletion.tsx'))

export function DeleteSelected({ collection, picked, outOfView, onGone }: DeleteSelectedProps) {
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [requested, setRequested] = useState<DeletionRequest>()
  const { ConfirmDeletion } = useLazyModule(dialog, requested !== undefined) ?? {}

  const run = async (wanted: DeletionRequest): Promise<void> => {
    const { where, count, isCounted } = wanted
    const deleting = { collection: collection.name, where, count, isConfirmed: isCounted, onGone }
    const end = await deleteWithUndo(queryClient, deleting)
    setRequested(end.is === 'changed' ? { ...wanted, count: end.count, hasChanged: true } : undefined)
  }
  const start = async (): Promise<void> => {
    const where = whereOf(picked)
    const selected = countOfSelected(picked)
    const few =
      where.only !== undefined && where.only.length <= MAX_WITHOUT_CONFIRMATION ? where.only.length : undefined
    const count = few ?? (await countDeletable(collection.name, where))
    const wanted = { where, count, selected, isCounted: few === undefined, hasChanged: false }
    if (count > MAX_WITHOUT_CONFIRMATION || (count > 0 && outOfView > 0)) setRequested(wanted)
    else if (count > 0) await run(wanted)
    else notify.info(t('You can’t delete any of these records.'))
  }
  const press = (): void => {
    setBusy(true)
    void start()
      .then(undefined, notifyFailure(t('Couldn’t count the selected records')))
      .finally(() => setBusy(false))
  }
  return (
    <>
      <Button
        size="xs"
        color="danger"
        variant="light"
        loading={isBusy}
        leftSection={<IconTrash size={14} stroke={1.75} />}
        onClick={press}
      >
        {t('Delete')}
      </Button>
      {requested && ConfirmDeletion && (
        <ConfirmDeletion
          collection={collection}
          requested={requested}
          outOfView={outOfView}
          mustType={requested.count > MAX_WITHOUT_CONFIRMATION}
          onConfirm={() => run(requested)}
          onClose={() => setRequested(undefined)}
        />
      )}
    </>
  )
}

const countDeletable = async (collection: string, where: BulkBody['where']): Promise<number> =>
  (await call(countBulk, { params: { collection }, body: { where, delete: true } })).count
