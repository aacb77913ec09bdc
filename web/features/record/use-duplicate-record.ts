import type { RecordBody } from '#api/records.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import { toWireValue } from '#web/shared/fields/client-value.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { copyOf } from '#web/shared/cell-editing/operations/duplicate-records.ts'
import { useCreateRecord } from '#web/data/queries/record-queries.ts'
import { useDeleteRecords } from '#web/shared/bulk-operations/use-delete-records.ts'

type DuplicateInput = {
  readonly collection: TypedCollection
  /** Stores what is written and answers the record as it is then. */
  readonly recordNow: () => Promise<RecordBody>
  readonly onMade: (record: string) => void
  /** The copy is taken back. */
  readonly onTakenBack: (copy: string) => void
}

/** Makes the open record once more and leads to the copy; what is refused, or what it takes to go back, is told. */
export function useDuplicateRecord({ collection, recordNow, onMade, onTakenBack }: DuplicateInput): () => void {
  const { mutateAsync: create } = useCreateRecord(collection.name)
  const deleteRecords = useDeleteRecords(collection.name)
  const tell = (copy: RecordBody) => {
    const takeBack = () => {
      const onGone = () => onTakenBack(copy.id)
      void deleteRecords({ ids: [copy.id], title: recordTitle(collection, copy), onGone })
    }
    const mayTakeBack = collection.can.includes('records:delete')
    notify.success(t('Record duplicated'), mayTakeBack ? { action: { label: t('Undo'), run: takeBack } } : {})
    onMade(copy.id)
  }
  return () =>
    void recordNow()
      .then(({ values }) => create(wireCopy(collection, values)))
      .then(tell, (error: unknown) => {
        notify.error(t('Couldn’t duplicate'), { detail: describeError(error).detail })
      })
}

/** The values of a copy as they are sent. */
function wireCopy(collection: TypedCollection, values: RecordBody['values']) {
  const copy = copyOf(collection, values)
  return Object.fromEntries(
    collection.fields.flatMap((field) =>
      Object.hasOwn(copy, field.name) ? [[field.name, toWireValue(field, copy[field.name])]] : [],
    ),
  )
}
