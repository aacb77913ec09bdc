import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { recordCountQuery } from '#web/data/queries/collections-query.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { ConfirmByTyping } from '#web/ui/dialogs/confirm-dialog.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { plural, t } from '#web/i18n/t.ts'
import { useDeleteCollection } from './collection-queries.ts'
import '../schema.css'

type DeleteCollectionProps = { readonly collection: TypedCollection; readonly onDeleted: () => void }

type RecordCount = { readonly total: number | null; readonly isExact: boolean }

function recordsText(count: RecordCount | undefined): string {
  if (count === undefined || count.total === null) return t('its records')
  return count.isExact
    ? plural(count.total, '{n} record', '{n} records')
    : plural(count.total, 'more than {n} record', 'more than {n} records')
}

export function DeleteCollection({ collection, onDeleted }: DeleteCollectionProps) {
  const [isAsking, setAsking] = useState(false)
  const { data: count } = useQuery(recordCountQuery(collection.name))
  const { mutateAsync } = useDeleteCollection(collection.name)
  const records = recordsText(count)
  const remove = () =>
    mutateAsync().then(
      () => {
        notify.success(t('{label} deleted', { label: collection.label }))
        onDeleted()
      },
      (error: unknown) => {
        setAsking(false)
        notify.error(t('Couldn’t delete {label}', { label: collection.label }), {
          detail: describeError(error).detail,
        })
      },
    )
  return (
    <section className="settings-section" aria-labelledby="delete-title">
      <h2 id="delete-title">{t('Delete collection')}</h2>
      <p className="dialog-hint">{t('Permanently deletes the collection, {records} and their files.', { records })}</p>
      <div>
        <Button color="danger" variant="light" onClick={() => setAsking(true)}>
          {t('Delete {label}…', { label: collection.label })}
        </Button>
      </div>
      <ConfirmByTyping
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('Delete {label}', { label: collection.label })}
        name={collection.label}
        actionLabel={t('Delete collection and {records}', { records })}
        onConfirm={remove}
      >
        {t('The collection, {records} and their files will be deleted. This can’t be undone.', { records })}
      </ConfirmByTyping>
    </section>
  )
}
