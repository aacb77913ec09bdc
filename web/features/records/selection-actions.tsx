import { Button } from '@mantine/core'
import { useState } from 'react'
import { failureText } from '#web/client/problem-text.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { type GridSelection, NOTHING_SELECTED } from '#web/kit/grid/selection.ts'
import { IconTrash } from '#web/kit/icons/icon-trash.ts'
import { later, useLater } from '#web/kit/later.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { type Listing, readMatchingIds } from './record-list-queries.ts'
import { useDeleteMatching } from './use-delete-matching.ts'
import { useDeleteRecords } from './use-delete-records.ts'

/** The selected records of a list. */
export type SelectionActionsProps = {
  readonly collection: KnownCollection
  readonly listing: Listing
  readonly selection: GridSelection
  readonly onSelection: (selection: GridSelection) => void
}

/** Only collections whose records take a way have it. */
const moveSelected = later(() => import('./move-selected.tsx'))

/** What can be done with the selected records. */
export function SelectionActions(props: SelectionActionsProps) {
  const { collection } = props
  const canMove = collection.workflow !== undefined && collection.can.includes('records:transition')
  const { MoveSelected } = useLater(moveSelected, canMove) ?? {}
  return (
    <>
      {canMove && MoveSelected && <MoveSelected {...props} />}
      {collection.can.includes('records:delete') && <DeleteSelected {...props} />}
    </>
  )
}

function DeleteSelected({ collection, listing, selection, onSelection }: SelectionActionsProps) {
  const [isBusy, setBusy] = useState(false)
  const deleteRecords = useDeleteRecords(collection.name)
  const deleteMatching = useDeleteMatching(collection.name)
  const begin = (ids: readonly string[] | undefined) => {
    onSelection(NOTHING_SELECTED)
    if (ids === undefined) deleteMatching({ listing, except: selection.ids })
    else if (ids.length > 0) deleteRecords({ ids })
  }
  const start = async () => {
    setBusy(true)
    const ids =
      selection.mode === 'these'
        ? Promise.resolve([...selection.ids])
        : readMatchingIds(collection.name, listing, selection.ids)
    await ids
      .then(
        (found) => begin(found),
        (error: unknown) =>
          void notify.error('The selected records could not be read', { detail: failureText(error).detail }),
      )
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
      Delete
    </Button>
  )
}
