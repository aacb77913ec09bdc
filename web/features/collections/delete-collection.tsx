import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { recordCountQuery } from '#web/client/collections-query.ts'
import { failureText } from '#web/client/problem-text.ts'
import { countOf } from '#web/fields/format-value.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { ConfirmByTyping } from '#web/kit/confirm-by-typing.tsx'
import { notify } from '#web/kit/toast/notify.ts'
import { useDeleteCollection } from './collection-queries.ts'
import './collections.css'

type DeleteCollectionProps = { readonly collection: KnownCollection; readonly onDeleted: () => void }

/** Removes a collection with everything in it, after its name was typed. */
export function DeleteCollection({ collection, onDeleted }: DeleteCollectionProps) {
  const [isAsking, setAsking] = useState(false)
  const { data: count } = useQuery(recordCountQuery(collection.name))
  const { mutateAsync } = useDeleteCollection(collection.name)
  const records =
    count?.total === undefined || count.total === null
      ? 'its records'
      : `${countOf(count.total, 'record', 'records')}${count.isExact ? '' : ' and more'}`
  const remove = () =>
    mutateAsync().then(
      () => {
        notify.success(`${collection.label} deleted`)
        onDeleted()
      },
      (error: unknown) => {
        setAsking(false)
        notify.error(`${collection.label} could not be deleted`, { detail: failureText(error).detail })
      },
    )
  return (
    <section className="settings-section" aria-labelledby="delete-title">
      <h2 id="delete-title">Delete this collection</h2>
      <p className="dialog-hint">Its definition, {records} and their files are removed for good.</p>
      <div>
        <Button color="danger" variant="light" onClick={() => setAsking(true)}>
          Delete {collection.label}…
        </Button>
      </div>
      <ConfirmByTyping
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Delete ${collection.label}`}
        name={collection.label}
        actionLabel={`Delete collection and ${records}`}
        onConfirm={remove}
      >
        The definition, {records} and their files are removed. This cannot be undone.
      </ConfirmByTyping>
    </section>
  )
}
