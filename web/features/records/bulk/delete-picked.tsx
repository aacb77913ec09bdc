import { Button } from '@mantine/core'
import { useState } from 'react'
import { failureText } from '#web/client/problem-text.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { IconTrash } from '#web/kit/icons/icon-trash.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { t } from '#web/language/t.ts'
import { readMatchingIds } from '../record-list-queries.ts'
import { useDeleteRecords } from '../use-delete-records.ts'
import { isMuch, type Picked } from './picked.ts'
import { useDeleteMatching } from './use-delete-matching.ts'

type DeletePickedProps = {
  readonly collection: KnownCollection
  readonly picked: Picked
  readonly onGone: () => void
}

/** Deletes what is selected, with a way back for as long as nothing is sent. */
export function DeletePicked({ collection, picked, onGone }: DeletePickedProps) {
  const [isBusy, setBusy] = useState(false)
  const deleteRecords = useDeleteRecords(collection.name)
  const deleteMatching = useDeleteMatching(collection.name)
  const { selection, listing } = picked
  const begin = (ids: readonly string[] | undefined) => {
    onGone()
    if (ids === undefined) deleteMatching(picked)
    else if (ids.length > 0) deleteRecords({ ids })
  }
  const idsNow = async (): Promise<readonly string[] | undefined> => {
    if (selection.mode === 'these') return [...selection.ids]
    // Where it is known to be too much, nobody waits for ids.
    if (picked.total !== undefined && isMuch(picked)) return undefined
    return readMatchingIds(collection.name, listing, selection.ids)
  }
  const start = async () => {
    setBusy(true)
    await idsNow()
      .then(begin, (error: unknown) => {
        notify.error(t('The selected records could not be read'), { detail: failureText(error).detail })
      })
      .finally(() => setBusy(false))
  }
  return (
    <Button
      size="xs"
      color="danger"
      variant="light"
      loading={isBusy}
      leftSection={<IconTrash size={14} stroke={1.75} />}
      onClick={() => void start()}
    >
      {t('Delete')}
    </Button>
  )
}
