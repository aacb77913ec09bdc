import { Button } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type DeletedDefinition, deleteDefinitionPermanently, listDeletedDefinitions } from '#api/trash.ts'
import { call } from '#web/data/api/call.ts'
import { useCan } from '#web/data/authorization/use-can.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { personName } from '#web/shared/fields/record-title.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { useRestoreDefinition } from '#web/shared/trash/use-restore-definition.ts'
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx'
import { ItemList } from '#web/ui/layout/panel.tsx'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { daysLeftText } from './trash-list.tsx'

const deletedQuery = queryOptions({
  queryKey: queryKeys.deletedDefinitions,
  queryFn: ({ signal }) => call(listDeletedDefinitions, { signal }),
  refetchOnMount: 'always',
})

/** Deleted fields and collections, for those who can manage them. */
export function useDeletedDefinitions(isShown: boolean) {
  const isManager = useCan('collections:manage')
  const { data, isLoading } = useQuery({ ...deletedQuery, enabled: isManager && isShown })
  return { items: isShown ? (data?.items ?? []) : [], isLoading }
}

export function DeletedDefinitions({ items }: { readonly items: readonly DeletedDefinition[] }) {
  const headingId = useId()
  if (items.length === 0) return null
  return (
    <section aria-labelledby={headingId} className="deleted-definitions">
      <h2 id={headingId}>{t('Fields and collections')}</h2>
      <ItemList label={t('Deleted fields and collections')}>
        {items.map((item) => (
          <DeletedRow key={item.id} item={item} />
        ))}
      </ItemList>
    </section>
  )
}

function DeletedRow({ item }: { readonly item: DeletedDefinition }) {
  const { id, kind, label, collection, deletedAt, deletedBy, expiresAt } = item
  const queryClient = useQueryClient()
  const wordsId = useId()
  const [isAsking, setAsking] = useState(false)
  const restore = useRestoreDefinition()
  const deletion = useMutation({
    mutationFn: () => call(deleteDefinitionPermanently, { params: { definition: id } }),
    onSuccess: async () => {
      setAsking(false)
      await queryClient.invalidateQueries({ queryKey: queryKeys.deletedDefinitions })
      notify.success(t('{label} permanently deleted', { label }))
    },
    onError: notifyFailure(t('Couldn’t delete {label}', { label })),
  })
  const values = {
    when: <RelativeTime at={deletedAt} />,
    name: deletedBy === null ? t('System') : personName(deletedBy.name),
  }
  return (
    <li className="line">
      <div className="line-words" id={wordsId}>
        <strong className="trash-title">
          {kind === 'field'
            ? t('Field {label} of {collection}', { label, collection })
            : t('Collection {label}', { label })}
        </strong>
        <span className="line-detail">
          <Say text="Deleted {when} by {name}" values={values} />
          <span className="trash-days">{daysLeftText(expiresAt)}</span>
        </span>
      </div>
      <div className="line-actions">
        <Button size="xs" aria-describedby={wordsId} loading={restore.isPending} onClick={() => restore.mutate(item)}>
          {t('Restore')}
        </Button>
        <Button size="xs" color="danger" variant="subtle" aria-describedby={wordsId} onClick={() => setAsking(true)}>
          {t('Delete permanently')}
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('Delete {label} permanently?', { label })}
        actionLabel={t('Delete permanently')}
        isBusy={deletion.isPending}
        onConfirm={() => deletion.mutate()}
      >
        {kind === 'field'
          ? t('Its values in all records are deleted. This can’t be undone.')
          : t('Its records and files are deleted. This can’t be undone.')}
      </ConfirmDialog>
    </li>
  )
}
