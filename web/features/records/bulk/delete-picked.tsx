import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { countBulk } from '#api/bulk.ts'
import { call } from '#web/client/call.ts'
import { failureText } from '#web/client/problem-text.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { IconTrash } from '#web/kit/icons/icon-trash.ts'
import { later, useLater } from '#web/kit/later.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { t } from '#web/language/t.ts'
import { type BulkBody, type Picked, pickedCount, whereOf } from './picked.ts'
import { runDeletion } from './run-deletion.ts'

type DeletePickedProps = {
  readonly collection: KnownCollection
  readonly picked: Picked
  /** How many of the picked records the list does not show. */
  readonly outOfView: number
  readonly onGone: () => void
}

/** What is about to be deleted, counted by the server as far as the user may delete it. */
export type AskedDeletion = {
  readonly where: BulkBody['where']
  readonly count: number
  /** How many records were selected, where that is known. */
  readonly selected: number | undefined
  /** Whether the server counted them; a few picked records need no counting. */
  readonly isCounted: boolean
  /** The number was another one when it was confirmed. */
  readonly hasChanged: boolean
}

/** More than this many records are deleted only after their number was typed. */
const MOST_WITHOUT_ASKING = 100

const dialog = later(() => import('./confirm-deletion.tsx'))

/** Deletes what is selected: a few in sight at once, others after a question that names their exact number. */
export function DeletePicked({ collection, picked, outOfView, onGone }: DeletePickedProps) {
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [asked, setAsked] = useState<AskedDeletion>()
  const { ConfirmDeletion } = useLater(dialog, asked !== undefined) ?? {}

  const run = async (wanted: AskedDeletion): Promise<void> => {
    const { where, count, isCounted } = wanted
    const deleting = { collection: collection.name, where, count, isConfirmed: isCounted, onGone }
    const end = await runDeletion(queryClient, deleting)
    setAsked(end.is === 'changed' ? { ...wanted, count: end.count, hasChanged: true } : undefined)
  }
  const start = async (): Promise<void> => {
    const where = whereOf(picked)
    const selected = pickedCount(picked)
    const few = where.only !== undefined && where.only.length <= MOST_WITHOUT_ASKING ? where.only.length : undefined
    const count = few ?? (await countDeletable(collection.name, where))
    const wanted = { where, count, selected, isCounted: few === undefined, hasChanged: false }
    if (count > MOST_WITHOUT_ASKING || (count > 0 && outOfView > 0)) setAsked(wanted)
    else if (count > 0) await run(wanted)
    else notify.info(t('You can’t delete any of these records.'))
  }
  const press = (): void => {
    setBusy(true)
    void start()
      .then(undefined, (error: unknown) => {
        notify.error(t('Couldn’t count the selected records'), { detail: failureText(error).detail })
      })
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
      {asked && ConfirmDeletion && (
        <ConfirmDeletion
          collection={collection}
          asked={asked}
          outOfView={outOfView}
          mustType={asked.count > MOST_WITHOUT_ASKING}
          onConfirm={() => run(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

const countDeletable = async (collection: string, where: BulkBody['where']): Promise<number> =>
  (await call(countBulk, { params: { collection }, body: { where, delete: true } })).count
